// In: a report, made up or (EVENKEEL_REPORT) real. Out: whether all of it can be seen and used.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { drawn, ink, kBroken, kSections, launch, open, overlaps } from "./browser.mjs";
import { address } from "./pages.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const real = process.env.EVENKEEL_REPORT;
const reports = [{ name: "fixture", url: address("normal") }];
if (real) reports.push({ name: real, url: pathToFileURL(resolve(real)).href });

for (const { name, url } of reports)
  describe(name, () => {
    for (const look of [
      { width: 1280, colorScheme: "light" },
      { width: 390, colorScheme: "dark" },
    ])
      test(`every section is drawn, ${look.colorScheme}, ${look.width} wide`, async () => {
        const colorScheme = /** @type {"light" | "dark"} */ (look.colorScheme);
        const { page, complaints } = await open(browser, url, {
          viewport: { width: look.width, height: 900 },
          colorScheme,
        });
        await drawn(page);
        await page.addStyleTag({ content: ".bar, .dial { position: static !important; }" });
        for (const section of kSections) {
          const place = page.locator(`#${section}`);
          const share = await ink(page, await place.screenshot());
          assert.ok(share > 0.01, `${section} looks blank: ${share}`);
          assert.deepEqual(await overlaps(page, section), [], `${section}: texts overlap`);
          assert.doesNotMatch(await place.innerText(), kBroken, section);
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
        assert.deepEqual(complaints, []);
        await page.close();
      });

    // Time on the processor, since tests may share a busy machine.
    test("the first section stands after less than 2 seconds of work", async () => {
      const page = await browser.newPage();
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      await page.goto(url, { waitUntil: "commit" });
      await page.waitForSelector("#summary[data-drawn]");
      const { metrics } = await session.send("Performance.getMetrics");
      const work = metrics.find((m) => m.name === "TaskDuration")?.value ?? Infinity;
      assert.ok(work < 2, `${work} seconds`);
      await page.close();
    });
  });

describe("using the page", () => {
  /** @type {import("playwright-core").Page} */
  let page;
  before(async () => {
    ({ page } = await open(browser, address("normal")));
    await drawn(page);
  });
  after(() => page.close());

  /** The drawing of the first plot of a section. @param {string} section */
  const plot = (section) => page.locator(`#${section} .plot svg`).first().innerHTML();

  test("the globes are drawn, turn together and obey the keyboard", async () => {
    await page.locator("#geometry .globe").first().scrollIntoViewIfNeeded();
    const globes = page.locator(".globe canvas");
    await globes.first().waitFor();
    assert.equal(await globes.count(), 8, "four methods for a head and a tail user");
    await page.waitForTimeout(300);
    const look = () =>
      globes.evaluateAll((all) =>
        all.map((c) => {
          const canvas = /** @type {HTMLCanvasElement} */ (c);
          const { data } = /** @type {CanvasRenderingContext2D} */ (
            canvas.getContext("2d")
          ).getImageData(0, 0, canvas.width, canvas.height);
          const colors = new Set(new Uint32Array(data.buffer));
          return {
            colors: colors.size,
            sum: data.reduce((a, b, i) => (a + b * (i % 251)) % 1e9, 0),
          };
        }),
      );
    const first = await look();
    for (const { colors } of first) assert.ok(colors > 50, `a globe has only ${colors} colours`);
    await globes.first().focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForTimeout(300);
    const turned = await look();
    turned.forEach((globe, i) =>
      assert.notEqual(globe.sum, first[i]?.sum, `globe ${i} did not turn`),
    );
    const box = await globes.first().boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 110, { steps: 3 });
    await page.mouse.up();
    await page.waitForTimeout(300);
    (await look()).forEach((globe, i) =>
      assert.notEqual(globe.sum, turned[i]?.sum, `globe ${i} was not dragged`),
    );
  });

  test("another user changes globes and mean angles", async () => {
    const angles = () => page.locator("#geometry .angles").allInnerTexts();
    const before = await angles();
    await page.locator("#geometry select").first().selectOption({ index: 3 });
    const after = await angles();
    assert.equal(after.length, 4);
    assert.notDeepEqual(after, before);
  });

  test("a method can be switched off and on", async () => {
    const chip = page.getByRole("button", { name: "softmax", exact: true });
    const sections = ["quality", "bias", "training"];
    const before = await Promise.all(sections.map(plot));
    const lists = await page.locator("#explore .columns").first().locator("ol").count();
    await chip.click();
    assert.equal(await chip.getAttribute("aria-pressed"), "false");
    await drawn(page);
    const off = await Promise.all(sections.map(plot));
    assert.notEqual(off[0], before[0]);
    assert.notEqual(off[2], before[2]);
    assert.equal(await page.locator("#explore .columns").first().locator("ol").count(), lists - 1);
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      "softmax",
      "focus stays",
    );
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(await plot("quality"), before[0]);
  });

  test("switching every method off is told, not blank", async () => {
    const chips = page.locator(".chip");
    await chips.evaluateAll((all) =>
      all.forEach((chip) => /** @type {HTMLElement} */ (chip).click()),
    );
    await drawn(page);
    for (const section of ["quality", "geometry", "bias", "training", "explore"])
      assert.match(await page.locator(`#${section}`).innerText(), /chosen|None of the/, section);
    await chips.evaluateAll((all) =>
      all.forEach((chip) => /** @type {HTMLElement} */ (chip).click()),
    );
    await drawn(page);
  });

  test("a metric and a baseline change the plots", async () => {
    const before = await plot("quality");
    await page.locator("#quality select").first().selectOption({ label: "NDCG@20" });
    assert.notEqual(await plot("quality"), before);
    const bars = page.locator("#quality .live").nth(1);
    await bars.getByLabel("Baseline").selectOption({ label: "bpr" });
    await drawn(page);
    assert.match(await bars.innerText(), /\+\d+\.\d %/);
  });

  test("users are found by a part of their id and by group", async () => {
    await page.locator("#user-search").fill("user-17");
    assert.match(
      await page.locator("#explore [role=status]").first().innerText(),
      /^11 users found/,
    );
    await page.getByRole("button", { name: "user-173" }).click();
    assert.match(await page.locator("#explore h3").first().innerText(), /user-173/);
    assert.equal(await page.locator("#explore ol").first().locator("li").count(), 20);
    assert.ok((await page.locator("#explore li.hit").count()) > 0, "hits are marked");
    await page.locator("#user-search").fill("tail");
    assert.match(await page.locator("#explore [role=status]").first().innerText(), /^66 users/);
    await page.locator("#user-search").fill("no such user");
    assert.match(
      await page.locator("#explore [role=status]").first().innerText(),
      /No user's id contains/,
    );
  });

  test("a click on a head sorts the table", async () => {
    const column = () => page.locator("#summary tbody tr td:nth-child(2)").allInnerTexts();
    await page.locator("#summary thead button").first().click();
    const down = await column();
    assert.deepEqual(down, [...down].sort().reverse());
    await page.locator("#summary thead button").first().click();
    assert.deepEqual(await column(), [...down].reverse());
  });

  test("the theme button goes from the system's to light to dark", async () => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.locator(".theme").click();
    await page.locator(".theme").click();
    assert.notEqual(await paper(), light);
    await page.locator(".theme").click();
    assert.equal(await paper(), light);
  });

  test("navigation leads to each section, also by keyboard", async () => {
    const links = page.locator("nav a");
    assert.equal(await links.count(), kSections.length);
    await links.nth(5).focus();
    await page.keyboard.press("Enter");
    await page.waitForTimeout(200);
    const top = await page.locator("#training").evaluate((e) => e.getBoundingClientRect().top);
    assert.ok(top >= -60 && top < 300, `training is at ${top}`);
    assert.equal(await links.nth(5).getAttribute("aria-current"), "true");
  });

  test("what can be pressed has a name", async () => {
    const nameless = await page
      .locator("button, select, input, canvas, [role=img]")
      .evaluateAll((all) =>
        all
          .filter(
            (e) =>
              !(
                e.getAttribute("aria-label") ||
                e.textContent?.trim() ||
                e.closest("label")?.textContent?.trim()
              ),
          )
          .map((e) => e.outerHTML.slice(0, 80)),
      );
    assert.deepEqual(nameless, []);
  });

  test("globes nobody scrolled to are printed, and in light colours", async () => {
    const fresh = (await open(browser, address("normal"), { colorScheme: "dark" })).page;
    await drawn(fresh);
    assert.equal(await fresh.locator(".globe canvas").count(), 0, "not drawn while out of sight");
    await fresh.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const middle = await fresh
      .locator(".globe canvas")
      .first()
      .evaluate((c) => {
        const canvas = /** @type {HTMLCanvasElement} */ (c);
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const seen = [...Array(data.length / 4).keys()].filter((i) => (data[4 * i + 3] ?? 0) > 250);
        return seen.reduce((sum, i) => sum + (data[4 * i] ?? 0), 0) / seen.length;
      });
    assert.ok(middle > 180, `mean red ${middle}`);
    await fresh.close();
  });

  test("paper shows everything, in light colours", async () => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      "rgb(255, 255, 255)",
    );
    assert.equal(await page.locator("nav").isVisible(), false);
    // A4 with its borders: nothing may run over the edge.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.waitForTimeout(300);
    const over = await page.locator("main *").evaluateAll((all) =>
      all
        .filter((e) => e.getClientRects().length > 0 && !e.closest(".unseen"))
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
        .map((e) => `${e.tagName} ${e.className} ${e.textContent?.slice(0, 40)}`),
    );
    assert.deepEqual(over.slice(0, 5), []);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
  });
});
