// In: the sheets that the docs show, as `evenkeel report --figures` wrote them. Out: whether a
// browser draws every text inside the picture and none over another.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const sheets = readdirSync(folder).filter((name) => name.endsWith(".svg"));

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch({ webgl: false });
});
after(() => browser.close());

/** Texts that leave the picture or lie over another. @param {string} svg */
async function faults(svg) {
  const page = await browser.newPage();
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  const found = await page.evaluate(() => {
    const whole = document.querySelector("svg")?.getBoundingClientRect();
    const boxes = [...document.querySelectorAll("text")].map((text) => ({
      text: text.textContent,
      box: text.getBoundingClientRect(),
      part: text.closest("svg")?.getBoundingClientRect(), // of a sheet: cut at its border
    }));
    const said = [];
    for (const [i, a] of boxes.entries()) {
      if (!whole || a.box.left < -1 || a.box.right > whole.right + 1 || a.box.top < -1)
        said.push(`"${a.text}" leaves the picture`);
      else if (!a.part || a.box.left < a.part.left - 1 || a.box.right > a.part.right + 1)
        said.push(`"${a.text}" is cut`);
      for (const b of boxes.slice(i + 1)) {
        const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (width > 2 && height > 4) said.push(`"${a.text}" over "${b.text}"`);
      }
    }
    return said;
  });
  await page.close();
  return found;
}

test("text over text is found", async () => {
  const words = (/** @type {number} */ x) => `<text x="${x}" y="20">some words</text>`;
  const svg = (/** @type {string} */ inner) => `<svg width="300" height="40">${inner}</svg>`;
  assert.equal((await faults(svg(words(0) + words(150)))).length, 0);
  assert.equal((await faults(svg(words(0) + words(30)))).length, 1);
  assert.equal((await faults(svg(words(280)))).length, 1);
});

test("there are sheets to look at", () => assert.ok(sheets.length >= 3, `${sheets}`));

for (const name of sheets)
  test(`${name}: no text over another`, async () => {
    assert.deepEqual(await faults(readFileSync(folder + name, "utf8")), []);
  });
