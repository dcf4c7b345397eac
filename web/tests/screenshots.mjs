// In: a report and a folder. Out: one PNG of each section in that folder.
// node tests/screenshots.mjs REPORT.html OUTDIR [light|dark] [width]
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drawn, kSections, launch } from "./browser.mjs";

const [, , report, folder, scheme = "light", width = "1280"] = process.argv;
if (!report || !folder) {
  console.error("usage: node tests/screenshots.mjs REPORT.html OUTDIR [light|dark] [width]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await launch();
const page = await browser.newPage({
  viewport: { width: Number(width), height: 900 },
  colorScheme: scheme === "dark" ? "dark" : "light",
  reducedMotion: "reduce",
});
await page.goto(pathToFileURL(resolve(report)).href);
await drawn(page);
// The bar would lie over the sections; a picture wants an even border.
await page.addStyleTag({
  content:
    ".bar, .dial { position: static !important; } section { padding: 1.2rem 1.4rem " +
    "!important; margin-inline: -1.4rem; }",
});
for (const section of kSections) {
  await page.locator(`#${section}`).scrollIntoViewIfNeeded();
  await page.waitForTimeout(section === "geometry" ? 800 : 100); // the globes come alive in sight
  await page.locator(`#${section}`).screenshot({ path: join(folder, `report-${section}.png`) });
}
await browser.close();
