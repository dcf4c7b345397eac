// In: a report with fronts. Out: whether the dial moves what it should, and an address brings it back.
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

/** Moves the dial to the n-th strength. @param {import("playwright-core").Page} page @param {number} n */
const turn = (page, n) =>
  page.locator("#debias").evaluate((slider, value) => {
    /** @type {HTMLInputElement} */ (slider).value = String(value);
    slider.dispatchEvent(new Event("input"));
  }, n);

/** @param {import("playwright-core").Page} page */
const list = (page) => page.locator("#dial ol").first().locator(".id").allTextContents();

describe("the dial", () => {
  /** @type {import("playwright-core").Page} */
  let page;
  before(async () => {
    ({ page } = await open(browser, address("normal")));
    await drawn(page);
  });
  after(() => page.close());

  test("changes fronts, groups, exposure, figures and lists", async () => {
    const look = async () => [
      ...(await page
        .locator("#dial .plot svg")
        .evaluateAll((all) => all.map((svg) => svg.innerHTML.replace(/plot-[0-9a-f]+/g, "")))),
      await page.locator("#dial tbody").innerText(),
      (await list(page)).join(),
    ];
    await turn(page, 0);
    const before = await look();
    assert.equal(before.length, 5);
    assert.match(await page.locator("#dial output").innerText(), /0\.00: lists as logged/);
    await turn(page, 4);
    const after = await look();
    after.forEach((text, i) => assert.notEqual(text, before[i], `part ${i} stands still`));
    assert.match(await page.locator("#dial output").innerText(), /^0\.80: 80 %/);
  });

  test("has a table in the order of the others, the balanced test first", async () => {
    const names = await page.locator("#dial tbody th").allInnerTexts();
    const all = await page.locator("#summary tbody th").allInnerTexts();
    assert.deepEqual(
      names,
      all.filter((name) => names.includes(name)),
    );
    assert.match(await page.locator("#dial thead button").first().innerText(), /balanced/);
  });

  test("gives the list that the correction gives", async () => {
    const report = makeReport();
    const { front } = report.runs[0] ?? {};
    const { items } = report.data_sets[0] ?? {};
    const pool = front?.pools[0];
    assert.ok(front && items && pool);
    for (const [place, { debias }] of front.stops.entries()) {
      await turn(page, place);
      /** @type {{ id: string | undefined, score: number }[]} */
      const scored = pool.items.map((item, n) => ({
        id: /** @type {string | undefined} */ (items.id[item]),
        score: (pool.scores[n] ?? 0) - debias * Math.log((items.popularity[item] ?? 0) + 1),
      }));
      const best = scored.sort((a, b) => b.score - a.score).slice(0, 20);
      assert.deepEqual(
        await list(page),
        best.map((b) => b.id),
        `strength ${debias}`,
      );
    }
  });

  test("and the user live in the address", async () => {
    await turn(page, 5);
    await page.locator("#dial").getByLabel("User").selectOption({ index: 7 });
    await page.getByRole("button", { name: "bpr", exact: true }).click();
    const url = page.url();
    assert.match(url, /debias=1\.2/);
    assert.match(url, /dial-user=7/);
    assert.match(url, /methods=1\.2\.3/);
    const again = (await open(browser, url)).page;
    await drawn(again);
    assert.match(await again.locator("#dial output").innerText(), /^1\.20/);
    assert.deepEqual(await list(again), await list(page));
    assert.equal(await again.locator(".chip[aria-pressed=true]").count(), 3);
    await again.close();
  });
});

test("a larger margin leaves a user fewer places", async () => {
  const { page } = await open(browser, `${address("normal")}#geometry-what-a-margin-asks-for`);
  await drawn(page);
  const figure = page.locator("#geometry-what-a-margin-asks-for");
  const left = [];
  for (const value of [0, 0.4, 0.9]) {
    await page.locator("#margin").evaluate((slider, v) => {
      /** @type {HTMLInputElement} */ (slider).value = String(v);
      slider.dispatchEvent(new Event("input"));
    }, value);
    left.push(
      Number(/margin (\d+) %/.exec(await figure.locator("[role=status]").last().innerText())?.[1]),
    );
  }
  assert.equal(left[0], 50);
  assert.ok((left[1] ?? 99) < 50 && (left[2] ?? 99) < (left[1] ?? 0), `${left}`);
  assert.match(page.url(), /margin=0\.9/);
  const alone = figure.locator("svg [fill='var(--thing-1)']");
  assert.equal(await alone.count(), 3, "on the circle, on the sphere and as angles");
  const before = await alone.nth(2).getAttribute("points");
  await figure.getByRole("button", { name: /^mean: / }).click();
  const mean = Number(
    /[\d.]+$/.exec(await figure.getByRole("button", { name: /^mean: / }).innerText()),
  );
  assert.ok(Math.abs(Number(await page.locator("#margin").inputValue()) - mean) < 0.011);
  assert.equal(await alone.nth(2).getAttribute("points"), before, "the softmax line stays");
  const both = figure.locator("svg [fill='var(--thing-0)']");
  assert.equal(await both.count(), 3);
  // Items nearer to each other than the margin: nowhere is good enough.
  for (const [id, value] of [
    ["margin", 1.2],
    ["apart", 40],
  ])
    await page.locator(`#${id}`).evaluate((slider, v) => {
      /** @type {HTMLInputElement} */ (slider).value = String(v);
      slider.dispatchEvent(new Event("input"));
    }, value);
  assert.match(await figure.locator("[role=status]").last().innerText(), /margin 0 %/);
  await page.close();
});

test("a strength beyond the last is the last, for figures and lists alike", async () => {
  const far = (await open(browser, `${address("normal")}#dial?debias=99`)).page;
  const last = (await open(browser, `${address("normal")}#dial?debias=1.2`)).page;
  await drawn(far);
  await drawn(last);
  assert.match(await far.locator("#dial output").innerText(), /^1\.20/);
  assert.deepEqual(await list(far), await list(last));
  await far.close();
  await last.close();
});

test("an address with nonsense is as if nothing was chosen", async () => {
  const nonsense =
    "#dial?debias=abc&dial-user=999&metric=%3Cscript%3E&methods=77&set=9&globe-user=x";
  const { page, complaints } = await open(browser, address("normal") + nonsense);
  await drawn(page);
  assert.match(await page.locator("#dial output").innerText(), /^0\.40/);
  assert.equal(await page.locator("#dial ol").first().locator("li").count(), 20);
  assert.equal(await page.locator(".chip[aria-pressed=true]").count(), 4);
  assert.doesNotMatch(await page.innerText("main"), /could not be drawn/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("an estimate is called one, and a test like the log is not called balanced", async () => {
  const report = makeReport();
  for (const set of report.data_sets)
    if (set.front) Object.assign(set.front, { balanced: set.front.logged, estimated: true });
  const { page } = await open(browser, `${address("estimated", JSON.stringify(report))}#dial`);
  await drawn(page);
  const head = await page.locator("#dial thead").first().innerText();
  assert.match(head, /test_id, as logged/);
  assert.match(head, /test_id, balanced \(estimated\)/);
  assert.doesNotMatch(head, /like the log|test_id \(balanced\)/);
  await page.close();
});
