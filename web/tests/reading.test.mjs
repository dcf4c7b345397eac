// In: reports with something that would mislead. Out: whether the page reads as it is: order, bold
// figures, intervals of one kind, charts that tell something, items that lead to their page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, launch, open, overlaps } from "./browser.mjs";
import { makeReport } from "./fixture.mjs";
import { address } from "./pages.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** @param {string} name @param {import("../src/data").ReportData} report */
async function shown(name, report) {
  const { page } = await open(browser, address(name, JSON.stringify(report)));
  await drawn(page);
  return page;
}

test("tables begin with the best on the least biased test, and say once what all share", async () => {
  const page = await shown("order", makeReport());
  assert.deepEqual(await page.locator("#summary tbody th").allInnerTexts(), [
    "bc",
    "ips-cn",
    "softmax",
    "bpr",
  ]);
  assert.match(await page.locator("#summary-headline-figures figcaption").innerText(), /lightgcn/);
  assert.doesNotMatch(await page.locator("#summary thead").innerText(), /Encoder/);
  const tests = await page.locator("#quality .live").first().locator("h3").allInnerTexts();
  assert.equal(tests[0], "test_ood", "panels begin with it too");
  await page.close();
});

test("a method that trains nothing does not win by it", async () => {
  const report = makeReport();
  const [first] = report.runs;
  assert.ok(first?.timing);
  first.epochs = 0;
  first.timing = { ...first.timing, train_seconds: 0, seconds_per_epoch: 0, samples_per_second: 0 };
  const page = await shown("untrained", report);
  const last = (/** @type {string} */ name) =>
    page.locator("#summary tbody tr", { hasText: name }).locator("td").last();
  assert.equal(await last(report.runs[0]?.method ?? "").innerText(), "–");
  assert.equal(await page.locator("#summary tbody td:last-child.best").count(), 1);
  await page.close();
});

test("figures that read the same are bold together or not at all", async () => {
  const report = makeReport();
  report.runs.forEach((run, i) => {
    if (run.exposure) run.exposure.tail_share = i < 2 ? 0.0101 + 0.0001 * i : 0.001;
    if (run.exposure) run.exposure.coverage = 0.5 + 0.00001 * i;
  });
  const page = await shown("same", report);
  const heads = await page.locator("#summary thead th").allInnerTexts();
  const column = (/** @type {string} */ head) =>
    page.locator(`#summary tbody td:nth-child(${heads.indexOf(head) + 1}).best`);
  assert.equal(await column("Tail share").count(), 2, "1.0 % and 1.0 %");
  assert.equal(await column("Coverage").count(), 0, "all 50.0 %");
  await page.close();
});

test("the lines of a sweep are of one kind", async () => {
  for (const seeds of [1, 2]) {
    const report = makeReport({ methods: 9, seeds, detailed: 18 });
    const points = report.data_sets[0]?.methods.slice(0, 3) ?? [];
    report.sweeps = [
      {
        data_set: 0,
        method: "bc with mf",
        key: "tau",
        numeric: true,
        // One value has one run in either case.
        points: points.map((m, i) => ({ value: 0.1 + i, runs: i ? m.runs : m.runs.slice(0, 1) })),
      },
    ];
    const page = await shown(`sweep${seeds}`, report);
    const caption = await page.locator("#training-tau figcaption").innerText();
    assert.match(caption, /95 % interval over users/);
    assert.doesNotMatch(caption, /seeds/);
    await page.close();
  }
});

test("one capped pair of thousands needs no chart", async () => {
  const report = makeReport();
  for (const run of report.runs)
    for (const epoch of run.training)
      if (epoch.capped_share !== null) epoch.capped_share = epoch.epoch % 2 ? 0.0001 : 0;
  const page = await shown("capped", report);
  assert.equal(await page.locator("#training-pairs-at-the-cap").count(), 0);
  await page.close();
});

test("a cloud without a direction is not said to turn, a U is", async () => {
  const report = makeReport({ methods: 2 });
  const spread = (/** @type {number} */ i) => 0.1 * Math.sin(i * 12.9898);
  const cloud = (/** @type {(x: number) => number} */ shape) =>
    Array.from({ length: 400 }, (_, i) => {
      const x = 1 + (i % 200);
      return /** @type {[number, number]} */ ([x, 1 + shape(Math.log(x)) + spread(i)]);
    });
  const norms = report.runs.map((run) => run.geometry?.norms);
  assert.ok(norms[0] && norms[1]);
  norms[0].points = cloud(() => 0);
  norms[1].points = cloud((x) => (x - 2.6) ** 2);
  const page = await shown("turn", report);
  const told = await page
    .locator("#geometry-embedding-norm-against-popularity .panel p")
    .allInnerTexts();
  assert.deepEqual(
    told.map((t) => /turns/.test(t)),
    [false, true],
  );
  await page.close();
});

test("paper has no letters too small to read, and no figure broken in two", async () => {
  const page = await shown("normal", makeReport());
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const shrunk = await page
    .locator(".plot > svg")
    .evaluateAll((all) =>
      all
        .map((svg) => svg.getBoundingClientRect().width / Number(svg.getAttribute("width")))
        .filter((scale) => scale < 0.75),
    );
  assert.deepEqual(shrunk, []);
  const broken = await page.locator("#summary tbody td.number").evaluateAll((all) =>
    all
      .filter((td) => {
        const range = document.createRange();
        range.selectNodeContents(td);
        return new Set([...range.getClientRects()].map((r) => Math.round(r.bottom / 6))).size > 1;
      })
      .map((td) => td.textContent),
  );
  assert.deepEqual(broken, []);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  await page.close();
});

test("against a baseline no label lies over a name, and the axis is in per cent as they are", async () => {
  const page = await shown("normal", makeReport());
  const bars = page.locator("#quality .live").nth(1);
  await bars.getByLabel("Baseline").selectOption({ label: "bc" });
  await drawn(page);
  assert.deepEqual(await overlaps(page, "quality"), []);
  const ticks = await bars
    .locator("svg")
    .first()
    .locator("[aria-label='x-axis tick label'] text")
    .allTextContents();
  assert.ok(ticks.length > 1 && ticks.every((t) => t.includes("%")), `${ticks}`);
  await page.close();
});

test("what rounds to zero has no sign", async () => {
  const report = makeReport();
  for (const c of report.data_sets[0]?.comparisons ?? []) c.difference = 0.00001;
  const page = await shown("zero", report);
  const texts = await page.locator("#quality-differences-to-a-baseline svg text").allTextContents();
  assert.ok(
    texts.some((t) => t.includes("0.0000")),
    `${texts}`,
  );
  assert.deepEqual(
    texts.filter((t) => /[-−+]0\.0000/.test(t)),
    [],
  );
  await page.close();
});

test("an item of a list leads to its page", async () => {
  const page = await shown("normal", makeReport());
  const item = page.locator("#explore ol .item").nth(4);
  const name = await item.innerText();
  await item.click();
  assert.equal(await page.locator("#explore-item h4 .id").first().innerText(), name);
  assert.match(page.url(), /item=\d+/);
  await page.close();
});

test("of many methods the winner and the best of each loss are shown first", async () => {
  const report = makeReport({ methods: 12, detailed: 12 });
  const [set] = report.data_sets;
  assert.ok(set?.verdict);
  set.verdict.best = 0;
  const page = await shown("winner", report);
  const names = await page.locator("#quality .live").first().locator("svg").first().textContent();
  const label = set.methods[0]?.label ?? "?";
  assert.ok(names?.includes(label.slice(0, 6)), `${label} in ${names}`);
  const losses = await page.evaluate(() => {
    const ticked = [...document.querySelectorAll(".picker input:checked")];
    return ticked.map((t) => t.closest("label")?.textContent?.split(" ")[0]);
  });
  assert.ok(new Set(losses).size >= 4, `${losses}`);
  await page.close();
});
