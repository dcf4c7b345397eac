// In: reports with a verdict and comparisons. Out: whether the first screen tells, choices start at
// the least biased test, comparisons are corrected, and colours stay with their method.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drawn, launch, open } from "./browser.mjs";
import { makeReport } from "./fixture.mjs";
import { address } from "./pages.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

for (const [width, height] of [
  [1280, 900],
  [390, 844],
])
  test(`sentence and figures are on the first screen, ${width} wide`, async () => {
    const viewport = { width: Number(width), height: Number(height) };
    const { page } = await open(browser, address("normal"), { viewport });
    await drawn(page);
    for (const part of [".verdict .sentence", ".verdict .big div:last-child"]) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box && box.y + box.height < viewport.height, `${part} ends at ${box?.y}`);
    }
    await page.close();
  });

describe("the least biased test", () => {
  /** @type {import("playwright-core").Page} */
  let page;
  before(async () => {
    const report = makeReport();
    const [set] = report.data_sets;
    assert.ok(set);
    set.merged_tests = [{ name: "test_copy", same_as: "test_id" }];
    ({ page } = await open(browser, address("verdict", JSON.stringify(report))));
    await drawn(page);
  });
  after(() => page.close());

  test("is where every choice of a test starts", async () => {
    const chosen = await page
      .locator("label.choice", { has: page.locator("span", { hasText: /^Test$/ }) })
      .locator("select")
      .evaluateAll((all) =>
        all.map((s) => /** @type {HTMLSelectElement} */ (s).selectedOptions[0]?.textContent),
      );
    assert.ok(chosen.length >= 4, `${chosen.length} choices`);
    assert.deepEqual([...new Set(chosen)], ["test_ood"]);
    assert.match(await page.locator("#summary thead button").first().innerText(), /test_ood/);
  });

  test("orders the findings", async () => {
    const names = await page.locator(".findings b").allInnerTexts();
    assert.deepEqual(names, ["bc", "ips-cn", "softmax", "bpr"]);
  });

  test("and copies of a test are said to be copies", async () => {
    assert.match(await page.innerText("#summary"), /test_copy holds the same pairs as test_id/);
  });
});

describe("differences to a baseline", () => {
  /** @type {import("playwright-core").Page} */
  let page;
  before(async () => {
    ({ page } = await open(browser, address("normal")));
    await drawn(page);
  });
  after(() => page.close());

  const figure = () => page.locator("#quality-differences-to-a-baseline");

  test("are against the best first, with p-values by Holm", async () => {
    const report = makeReport();
    const own = (report.data_sets[0]?.comparisons ?? [])
      .filter((c) => c.b === 3 && c.part === "test_ood" && c.metric === "recall")
      .sort((x, y) => x.p - y.p);
    assert.equal(own.length, 3);
    let least = 0;
    const adjusted = own.map((c, i) => (least = Math.max(least, Math.min(1, c.p * (3 - i)))));
    const texts = await figure().locator("svg text").allTextContents();
    const told = texts.filter((t) => t.includes("p "));
    assert.equal(told.length, 3);
    own.forEach((c, i) => {
      const p = adjusted[i] ?? 1;
      const wanted = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
      const line = told.find((t) => t.includes(Math.abs(c.difference).toFixed(4)));
      assert.ok(line?.includes(wanted), `${line} should say ${wanted}`);
      assert.ok(line?.startsWith("−"), `${line}: the best is ahead of all`);
    });
  });

  test("change sides with the baseline", async () => {
    const row = page.locator("#quality .live").filter({ has: figure() });
    await row.getByLabel("Baseline").selectOption({ label: "bpr" });
    const texts = await figure().locator("svg text").allTextContents();
    const told = texts.filter((t) => t.includes("p "));
    assert.equal(told.length, 3);
    assert.ok(
      told.every((t) => t.startsWith("+")),
      told.join("; "),
    );
    assert.match(page.url(), /against=0/);
  });
});

test("differences of some of the seeds are told from means over all of them", async () => {
  const report = makeReport({ seeds: 2 });
  for (const run of report.runs) if (run.seed === 2) run.detailed = false;
  const { page } = await open(browser, address("some", JSON.stringify(report)));
  await drawn(page);
  const caption = page.locator("#quality-differences-to-a-baseline figcaption");
  assert.match(await caption.innerText(), /not every model is read/);
  await page.close();
});

test("head, mid and tail are means over seeds, too", async () => {
  const report = makeReport({ seeds: 2 });
  for (const run of report.runs)
    for (const e of run.evaluations)
      if (e.items) for (const group of e.items) group.recall = run.seed === 1 ? 0.1 : 0.3;
  const { page } = await open(browser, address("means", JSON.stringify(report)));
  await drawn(page);
  const bars = page.locator("#quality-by-item-popularity svg text", { hasText: /^0\.\d{4}$/ });
  assert.deepEqual([...new Set(await bars.allTextContents())], ["0.2000"]);
  await page.close();
});

test("names that differ in the end alone stay apart on a phone", async () => {
  const names = ["bc (margin-strength 0.3)", "bc (margin-strength 0.6)", "softmax", "bpr"];
  const report = makeReport();
  report.data_sets[0]?.methods.forEach((m, i) => (m.label = names[i] ?? ""));
  const viewport = { width: 390, height: 844 };
  const { page } = await open(browser, address("alike", JSON.stringify(report)), { viewport });
  await drawn(page);
  const texts = await page.locator("#quality .plot svg").first().locator("text").allTextContents();
  const rows = texts.filter((text) => text.startsWith("bc"));
  assert.equal(rows.length, 2);
  assert.equal(new Set(rows).size, 2, `${rows}`);
  const cut = await page
    .locator(".chip .id, h4 .id")
    .evaluateAll((all) =>
      all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent),
    );
  assert.deepEqual(cut, []);
  await page.close();
});

test("bold figures do not contradict the test of significance", async () => {
  const report = makeReport({ methods: 3 });
  for (const c of report.data_sets[0]?.comparisons ?? []) c.p = c.a === 0 ? 1e-9 : 0.4;
  const { page } = await open(browser, address("level", JSON.stringify(report)));
  await drawn(page);
  const bold = await page
    .locator("#summary tbody tr")
    .evaluateAll((rows) =>
      rows
        .filter((r) => r.querySelector("td:nth-child(2).best"))
        .map((r) => r.querySelector("th")?.textContent),
    );
  assert.deepEqual(bold, ["ips-cn", "softmax"], "the best and the one level with it");
  await page.close();
});

test("the field's popularity metrics have names and meanings", async () => {
  const { page } = await open(browser, address("normal"));
  await drawn(page);
  const heads = page.locator("#quality-what-the-lists-do-with-popularity thead th");
  const names = (await heads.allInnerTexts()).join();
  for (const name of ["ARP", "APLT", "ACLT", "PopREO", "PopRSP", "Novelty", "Miscalibration"])
    assert.ok(names.includes(name), `${name} in ${names}`);
  const silent = await heads.evaluateAll(
    (all) => all.slice(1).filter((th) => !th.getAttribute("title")).length,
  );
  assert.equal(silent, 0, "heads without a meaning");
  await page.close();
});

test("the headline table follows the chips and keeps its sorting", async () => {
  const { page } = await open(browser, address("normal"));
  await drawn(page);
  const names = () => page.locator("#summary tbody th").allInnerTexts();
  const head = page.locator("#summary thead button").first();
  await head.click();
  const sorted = await names();
  await page.getByRole("button", { name: "softmax", exact: true }).click();
  await drawn(page);
  assert.deepEqual(
    await names(),
    sorted.filter((n) => n !== "softmax"),
  );
  await page.close();
});

test("a method has one colour in all data sets, and no other thing has it", async () => {
  const report = makeReport({ sets: ["market one", "market two"], methods: 3 });
  const [, second] = report.data_sets;
  assert.ok(second);
  second.methods.reverse();
  const { page } = await open(browser, address("colours", JSON.stringify(report)));
  await drawn(page);
  const colours = () =>
    page
      .locator(".chip")
      .evaluateAll((all) =>
        Object.fromEntries(all.map((c) => [c.textContent, c.querySelector("path")?.style.fill])),
      );
  const first = await colours();
  await page.locator(".controls select").selectOption({ label: "market two" });
  await drawn(page);
  assert.deepEqual(await colours(), first);
  const things = await page.evaluate(() => {
    const style = (/** @type {string} */ name) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = `var(${name})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    };
    const methods = [...Array(8).keys()].map((i) => style(`--method-${i}`));
    return ["--positive", "--held-out", "--thing-0", "--thing-1", "--thing-2", "--thing-3"].filter(
      (name) => methods.includes(style(name)),
    );
  });
  assert.deepEqual(things, []);
  await page.close();
});
