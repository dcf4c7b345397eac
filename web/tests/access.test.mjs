// In: the page, light, dark and narrow. Out: whether axe finds anything to complain about.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { drawn, launch, open } from "./browser.mjs";
import { address } from "./pages.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

for (const [variant, width, colorScheme] of /** @type {const} */ ([
  ["normal", 1280, "light"],
  ["normal", 390, "dark"],
  ["many", 1280, "light"],
  ["bare", 1280, "light"],
]))
  test(`no violations: ${variant}, ${width} wide, ${colorScheme}`, async () => {
    const viewport = { width, height: 900 };
    const { page } = await open(browser, address(variant), { viewport, colorScheme });
    await drawn(page);
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { axe } = /** @type {{ axe: typeof import("axe-core") }} */ (
        /** @type {unknown} */ (window)
      );
      const { violations } = await axe.run(document, { resultTypes: ["violations"] });
      return violations.map(
        (v) =>
          `${v.id} (${v.nodes.length}): ${v.nodes
            .slice(0, 3)
            .map((n) => `${n.html.slice(0, 120)} ${n.failureSummary?.slice(0, 200)}`)
            .join(" | ")}`,
      );
    });
    assert.deepEqual(found, []);
    await page.close();
  });
