// In: the built template. Out: whether a program can fill it, and whether it says so while empty.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { launch, open } from "./browser.mjs";
import { kTemplate } from "./variants.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("the place of the data is there once, empty, and the file is small", () => {
  const text = readFileSync(kTemplate, "utf8");
  assert.equal(text.split('<script type="application/json" id="report-data"></script>').length, 2);
  assert.equal(
    text.split("report-data").length,
    3,
    "the name stands in the element and in one line of script",
  );
  assert.ok(statSync(kTemplate).size < 1.5e6);
});

test("the committed page is what the sources give", async () => {
  const outDir = mkdtempSync(join(tmpdir(), "evenkeel-template-"));
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({ root, logLevel: "silent", build: { outDir, emptyOutDir: true } });
  const same = readFileSync(join(outDir, "report.html")).equals(readFileSync(kTemplate));
  rmSync(outDir, { recursive: true });
  assert.ok(same, "dist/report.html is out of date: npm run build, and commit it");
});

test("the empty template says how to fill it", async () => {
  const { page, complaints } = await open(browser, pathToFileURL(kTemplate).href);
  assert.match(await page.innerText("main"), /holds no data[^]*evenkeel report RUN/);
  assert.deepEqual(complaints, []);
  await page.close();
});
