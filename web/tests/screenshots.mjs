// In: a report and a folder. Out: one picture of each section in that folder; with `all` every look:
// report-SECTION.png, and below report/ the same dark, on a phone, and print.pdf.
// node tests/screenshots.mjs REPORT.html OUTDIR [light|dark|all] [width] [section...]
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drawn, kSections, launch } from "./browser.mjs";
import { smallPng } from "./small_png.mjs";

const [, , report, folder, scheme = "light", width = "1280", ...wanted] = process.argv;
if (!report || !folder) {
  console.error(
    "usage: node tests/screenshots.mjs REPORT.html OUTDIR [light|dark|all] [width] [section...]",
  );
  process.exit(2);
}
const url = pathToFileURL(resolve(report)).href;
const sections = wanted.length > 0 ? wanted : kSections;

// The bar would lie over the sections; a picture wants an even border, as wide as the page's own:
// a section that is wider than the screen moves the picture off its place.
const kStill = `
  html { scroll-behavior: auto !important; scroll-padding: 0 !important; }
  .bar, .dial { position: static !important; }
  section { padding: 1.2rem 1rem !important; margin-inline: -1rem; }`;

/**
 * @param {import("playwright-core").Browser} browser @param {string} out
 * @param {"light" | "dark"} colorScheme @param {number} wide
 */
async function shoot(browser, out, colorScheme, wide) {
  mkdirSync(out, { recursive: true });
  const viewport = { width: wide, height: 900 };
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.goto(url);
  await drawn(page);
  await page.addStyleTag({ content: kStill });
  // The globes come alive in sight and grow; everything below them moves.
  await page.locator(".globe").first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(1000);
  for (const section of sections) {
    const place = page.locator(`#${section}`);
    await place.scrollIntoViewIfNeeded();
    await page.waitForTimeout(200);
    writeFileSync(
      join(out, `report-${section}.png`),
      await smallPng(page, await place.screenshot()),
    );
  }
  await page.close();
}

/** @param {import("playwright-core").Browser} browser @param {string} out */
async function print(browser, out) {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(url);
  await drawn(page);
  await page.pdf({ path: join(out, "print.pdf"), format: "A4", printBackground: true });
  await page.close();
}

const browser = await launch();
if (scheme === "all") {
  const more = join(folder, "report");
  await shoot(browser, folder, "light", 1280);
  await shoot(browser, join(more, "dark-1280"), "dark", 1280);
  await shoot(browser, join(more, "light-390"), "light", 390);
  await shoot(browser, join(more, "dark-390"), "dark", 390);
  await print(browser, more);
} else {
  await shoot(browser, folder, scheme === "dark" ? "dark" : "light", Number(width));
}
await browser.close();
