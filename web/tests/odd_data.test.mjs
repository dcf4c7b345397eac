// In: reports that lack things, hold too much, or mean harm. Out: whether each page tells.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drawn, kBroken, kSections, launch, open, overlaps } from "./browser.mjs";
import { kHostile, kLong, makeReport } from "./fixture.mjs";
import { address } from "./pages.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/**
 * Opens a variant and makes sure that no section is empty.
 * @param {string} variant @param {string} [json]
 */
async function telling(variant, json) {
  const { page, complaints } = await open(browser, address(variant, json));
  await drawn(page);
  for (const section of kSections) {
    const text = await page.locator(`#${section} .body`).innerText();
    assert.ok(text.trim().length > 10, `${section} says nothing`);
    assert.doesNotMatch(text, kBroken, section);
  }
  assert.deepEqual(complaints, []);
  return page;
}

test("no runs", async () => {
  const page = await telling("empty");
  assert.match(
    await page.innerText("main"),
    /No run could be read[^]*No run was given[^]*there is no such folder/,
  );
  await page.close();
});

test("no test data: validation, said so", async () => {
  const page = await telling("no-test");
  assert.match(await page.innerText("#summary"), /no test data[^]*validation/i);
  assert.match(await page.innerText("#quality"), /valid/);
  await page.close();
});

test("a run that diverged", async () => {
  const page = await telling("diverged");
  assert.match(await page.innerText("#summary"), /NaN in epoch 3|diverged in epoch 3/);
  await page.close();
});

test("runs without models, data or figures", async () => {
  const page = await telling("bare");
  assert.match(await page.innerText("#quality"), /no figures/);
  await page.close();
});

test("one run whose figures never move", async () => {
  const page = await telling("single");
  for (const section of kSections) assert.deepEqual(await overlaps(page, section), [], section);
  await page.close();
});

test("several seeds: standard deviations", async () => {
  const page = await telling("seeds");
  assert.match(await page.innerText("#summary"), /±[^]*standard deviation over seeds/);
  await page.close();
});

test("several data sets: a chooser that changes page and methods", async () => {
  const page = await telling("sets");
  assert.match(await page.innerText(".masthead"), /market one[^]*2 data sets/);
  await page.locator(".controls select").selectOption({ label: "market two" });
  await drawn(page);
  assert.match(await page.innerText(".masthead"), /market two/);
  assert.equal(await page.locator(".chip").count(), 3);
  await page.locator(".chip").first().click();
  assert.equal(await page.locator(".chip[aria-pressed=true]").count(), 2);
  await page.close();
});

test("300 runs: a list to choose from, not 300 colours", async () => {
  const page = await telling("many");
  assert.equal(await page.locator(".chip").count(), 0);
  const summary = page.locator(".picker summary");
  assert.match(await summary.innerText(), /6 of 300 methods shown/);
  await summary.click();
  await page.getByLabel("Search methods").fill("tau 2.");
  const boxes = page.locator(".found input");
  assert.ok((await boxes.count()) > 10);
  /** @param {number} i */
  const press = (i) => boxes.nth(i).evaluate((box) => /** @type {HTMLElement} */ (box).click());
  await press(0);
  await press(1);
  assert.match(await summary.innerText(), /8 of 300/);
  assert.equal(await boxes.nth(2).isDisabled(), true, "no ninth colour");
  await press(0);
  assert.equal(await boxes.nth(2).isDisabled(), false);
  const colors = await page
    .locator(".found label:has(input:checked) path")
    .evaluateAll((all) => all.map((p) => /** @type {SVGElement} */ (p).style.fill));
  assert.ok(new Set(colors).size <= 8, `${new Set(colors).size} colours`);
  await page.close();
});

describe("hostile ids", () => {
  /** @type {import("playwright-core").Page} */
  let page;
  before(async () => {
    page = await telling("hostile");
  });
  after(() => page.close());

  test("are shown as text", async () => {
    await page.locator("#user-search").fill("<script>");
    assert.equal(await page.locator("#explore h3 .id").textContent(), kHostile);
    assert.equal(await page.locator(".masthead h1").textContent(), kHostile);
    assert.equal(await page.evaluate(() => "hacked" in window), false);
    assert.equal(await page.locator("#page script, #page img").count(), 0);
  });

  test("do not widen the page, however long", async () => {
    await page.locator("#user-search").fill("xxxxx");
    await page.locator("#explore .hits button").first().click();
    assert.equal(await page.locator("#explore h3 .id").textContent(), kLong);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(200);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    }
  });

  test("as names of methods and runs do no harm either", async () => {
    const report = makeReport({ methods: 2 });
    const [one] = report.data_sets[0]?.methods ?? [];
    const [first, second] = report.runs;
    assert.ok(one && first && second);
    one.label = first.label = first.method = kHostile;
    second.label = kLong;
    const other = await telling("labels", JSON.stringify(report));
    assert.equal(await other.evaluate(() => "hacked" in window), false);
    assert.equal(await other.locator(".chip .id").first().textContent(), kHostile);
    assert.ok((await other.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
    await other.close();
  });
});

for (const [name, json, said] of [
  ["cut", JSON.stringify(makeReport()).slice(0, 5000), /damaged/],
  ["foreign", '{"format": "something else"}', /not an evenkeel report/],
  ["thin", '{"format": "evenkeel-report", "version": 1, "title": "thin"}', /No run could be read/],
])
  test(`${name} data gives a page that tells`, async () => {
    const { page } = await open(browser, address(String(name), String(json)));
    await page.waitForSelector("main");
    await page.waitForTimeout(300);
    assert.match(await page.innerText("main"), /** @type {RegExp} */ (said));
    await page.close();
  });

test("without WebGL the page says so and keeps the histograms", async () => {
  const blind = await launch({ webgl: false });
  const { page } = await open(blind, address("normal"));
  await drawn(page);
  await page.locator("#geometry .globe").first().scrollIntoViewIfNeeded();
  await page.waitForSelector(".globe .notice");
  assert.match(await page.locator(".globe").first().innerText(), /needs WebGL/);
  assert.equal(await page.locator(".globe canvas").count(), 0);
  assert.ok((await page.locator("#geometry .sphere .plot svg").count()) >= 8);
  await blind.close();
});
