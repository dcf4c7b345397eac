// In: addresses with a place, and figures. Out: whether links land and what is saved is whole.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { drawn, kSections, launch, open } from "./browser.mjs";
import { kHostile, makeReport } from "./fixture.mjs";
import { address } from "./pages.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Where the place is below the bar on top. @param {import("playwright-core").Page} page @param {string} id */
const below = (page, id) =>
  page.evaluate((name) => {
    const top = document.getElementById(name)?.getBoundingClientRect().top ?? 1e9;
    return top - (document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0);
  }, id);

for (const width of [1280, 390])
  test(`an address with a section lands on it, ${width} wide`, async () => {
    for (const place of ["dial", "bias", "explore", "bias-popularity-lift"]) {
      const { page } = await open(browser, `${address("normal")}#${place}`, {
        viewport: { width, height: 900 },
      });
      await drawn(page);
      await page.waitForTimeout(200);
      const off = await below(page, place);
      assert.ok(off > -40 && off < 120, `${place} is ${off} pixels off`);
      await page.close();
    }
  });

test("who scrolls away while the page is drawn is left alone", async () => {
  const { page } = await open(browser, `${address("normal")}#reproduce`);
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, -100);
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await drawn(page);
  await page.waitForTimeout(200);
  assert.ok((await page.evaluate(() => scrollY)) < 300, "it was pulled back");
  await page.close();
});

describe("figures", () => {
  /** @type {import("playwright-core").Page} */
  let page;
  before(async () => {
    ({ page } = await open(browser, address("normal"), { acceptDownloads: true }));
    await drawn(page);
  });
  after(() => page.close());

  /** What a figure's button saves. @param {string} id @param {string} kind */
  async function saved(id, kind) {
    const tools = page.locator(`#${id} > .tools`);
    if ((await tools.getAttribute("open")) === null) await tools.locator("summary").click();
    const waiting = page.waitForEvent("download");
    await tools.getByRole("button", { name: kind, exact: true }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  test("have names of their own", async () => {
    const ids = await page.locator("figure.panel").evaluateAll((all) => all.map((f) => f.id));
    assert.ok(ids.length > 20, `${ids.length}`);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => kSections.some((s) => id.startsWith(`${s}-`))));
  });

  test("are saved as SVG that needs nothing of the page", async () => {
    const { name, bytes } = await saved("bias-popularity-lift", "SVG");
    assert.equal(name, "bias-popularity-lift.svg");
    const text = bytes.toString();
    assert.doesNotMatch(text, /var\(--|currentColor|light-dark/);
    for (const word of ["Popularity lift", "softmax", "decile"])
      assert.ok(text.includes(word), word);
    const other = await browser.newPage();
    await other.setContent("<body></body>");
    const size = await other.evaluate(async (svg) => {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, text);
    assert.ok((size[0] ?? 0) > 300 && (size[1] ?? 0) > 200, `${size}`);
    await other.setContent(`<body style="margin:0">${text}</body>`);
    const [title, plot] = await other.evaluate(() =>
      ["text", "g > svg"].map((one) => document.querySelector(one)?.getBoundingClientRect()),
    );
    assert.ok(title && plot && title.left > 5 && title.top > 5, "a border");
    assert.ok(plot.top - title.bottom < 30, "no hole where the caption is on the page");
    await other.close();
  });

  test("are saved as PNG", async () => {
    const { bytes } = await saved("dial-fronts", "PNG");
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.readUInt32BE(16) > 600, "twice as wide as on the page");
  });

  test("are saved as CSV with every number", async () => {
    const { bytes } = await saved("dial-fronts", "CSV");
    const lines = bytes.toString().trim().split("\n");
    assert.match(lines[0] ?? "", /^"method","debias","logged_recall","balanced_recall"/);
    const stops = makeReport().runs.flatMap((r) => r.front?.stops ?? []);
    assert.equal(lines.length, 1 + stops.length);
    assert.ok(lines[1]?.includes(String(stops[0]?.logged)));
  });

  test("tables are saved as LaTeX and CSV", async () => {
    const tex = (await saved("summary-headline-figures", "LaTeX")).bytes.toString();
    assert.match(tex, /^\\begin\{tabular\}\{ll?r+/);
    assert.match(tex, /\\toprule[^]*\\textbf\{[^]*\\bottomrule/);
    assert.match(tex, /test\\_id/);
    assert.equal(tex.split("\\\\\n").length - 1, 5, "a head and four methods");
    const csv = (await saved("summary-headline-figures", "CSV")).bytes.toString();
    assert.match(csv, /"Recall@20 test_id"/);
    assert.equal(csv.trim().split("\n").length, 5);
  });

  test("have a link that brings others to the same choices", async () => {
    await page.locator("#quality select").first().selectOption({ label: "NDCG@20" });
    const tools = page.locator("#bias-lorenz-curve-of-exposure > .tools");
    await tools.locator("summary").click();
    const href = await tools.locator("a").getAttribute("href");
    assert.equal(href, "#bias-lorenz-curve-of-exposure?metric=ndcg");
  });
});

test("names from strangers' files run no formula in a spreadsheet", async () => {
  const report = makeReport({ methods: 2 });
  const [first, second] = report.data_sets[0]?.methods ?? [];
  assert.ok(first && second);
  first.label = '=cmd|"/c calc"!A0';
  second.label = kHostile;
  const { page } = await open(browser, address("formula", JSON.stringify(report)));
  await drawn(page);
  await page.locator("#summary-headline-figures > .tools summary").click();
  const waiting = page.waitForEvent("download");
  await page.locator("#summary-headline-figures").getByRole("button", { name: "CSV" }).click();
  const text = readFileSync(await (await waiting).path(), "utf8");
  assert.ok(text.includes(`"'=cmd|""/c calc""!A0"`), text);
  await page.close();
});
