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

// axe leaves drawings alone.
for (const colorScheme of /** @type {const} */ (["light", "dark"]))
  test(`numbers in bars and cells stand out, ${colorScheme}`, async () => {
    const { page } = await open(browser, address("normal"), { colorScheme });
    await drawn(page);
    const { seen, faint } = await page.evaluate(() => {
      const light = (/** @type {string} */ color) => {
        const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((n) => {
          const part = Number(n) / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const fill = (/** @type {Element} */ mark) => getComputedStyle(mark).fill;
      let seen = 0;
      const faint = [];
      for (const text of document.querySelectorAll(".plot svg text")) {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const under = [...(text.closest("svg")?.querySelectorAll("rect") ?? [])].findLast(
          (rect) => {
            const box = rect.getBoundingClientRect();
            const around = box.left <= left && right <= box.right;
            return (
              around && box.top <= top + 2 && bottom <= box.bottom + 2 && fill(rect) !== "none"
            );
          },
        );
        if (!under) continue;
        seen += 1;
        const [dark = 1, bright = 1] = [light(fill(text)), light(fill(under))].sort();
        if (bright / dark < 4.5)
          faint.push(`${text.textContent}: ${(bright / dark).toFixed(2)} on ${fill(under)}`);
      }
      return { seen, faint };
    });
    assert.ok(seen > 20, `${seen} texts`);
    assert.deepEqual(faint, []);
    await page.close();
  });
