// In: a picture with one small coloured symbol among many greys. Out: whether its palette keeps it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch } from "./browser.mjs";
import { smallPng } from "./small_png.mjs";

/** @type {import("playwright-core").Browser | undefined} */
let browser;
after(() => browser?.close());

test("a small symbol keeps its colour", async () => {
  browser = await launch();
  const page = await browser.newPage();
  // 200 shades in stripes of 500 pixels, one star of 36.
  const [before, star] = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(200, 500);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    for (let x = 0; x < 200; ++x) {
      context.fillStyle = `rgb(${x}, ${(x * 37) % 200}, ${255 - x})`;
      context.fillRect(x, 0, 1, 500);
    }
    context.fillStyle = "#e69f00";
    context.fillRect(20, 20, 6, 6);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return [btoa(String.fromCharCode(...bytes)), [22, 22]];
  });
  const after = await smallPng(page, Buffer.from(before, "base64"));
  const color = await page.evaluate(
    async ([data, [x, y]]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.drawImage(image, 0, 0);
      return [...context.getImageData(x ?? 0, y ?? 0, 1, 1).data];
    },
    /** @type {const} */ ([after.toString("base64"), star]),
  );
  assert.deepEqual(color, [0xe6, 0x9f, 0x00, 255]);
});
