// In: a report and a folder. Out: one picture of each section in that folder.
// node tests/screenshots.mjs REPORT.html OUTDIR [light|dark] [width] [png|jpeg]
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drawn, kSections, launch } from "./browser.mjs";

const [, , report, folder, scheme = "light", width = "1280", type = "png"] = process.argv;
if (!report || !folder) {
  console.error(
    "usage: node tests/screenshots.mjs REPORT.html OUTDIR [light|dark] [width] [png|jpeg]",
  );
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
  const path = join(folder, `report-${section}.${type === "jpeg" ? "jpg" : "png"}`);
  await page
    .locator(`#${section}`)
    .screenshot(type === "jpeg" ? { path, type: "jpeg", quality: 60 } : { path });
}
await browser.close();
