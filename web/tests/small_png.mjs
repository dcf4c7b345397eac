// In: a picture of few colours that matter. Out: the same as PNG with a palette, a
// third of the size: pictures of the page are kept in the repository.
import { crc32, deflateSync } from "node:zlib";

const kColors = 96;

/** @param {string} kind @param {Uint8Array} data */
function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/**
 * @param {import("playwright-core").Page} page any page: its canvas reads the picture
 * @param {Buffer} png @returns {Promise<Buffer>}
 */
export async function smallPng(page, png) {
  const { width, height, colors, pixels } = await page.evaluate(
    async ([data, most]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.drawImage(image, 0, 0);
      const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
      const all = new Uint32Array(bytes.buffer);
      // Colours that are one in five bits of each channel stand for each other.
      /** @type {Map<number, { uses: number, exact: Map<number, number> }>} */
      const cells = new Map();
      const cellOf = (/** @type {number} */ color) => color & 0xf8f8f8;
      for (const color of all) {
        const cell = cells.get(cellOf(color)) ?? { uses: 0, exact: new Map() };
        cells.set(cellOf(color), cell);
        cell.uses += 1;
        cell.exact.set(color, (cell.exact.get(color) ?? 0) + 1);
      }
      const channels = (/** @type {number} */ c) => [c & 255, (c >> 8) & 255, (c >> 16) & 255];
      const distance = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
        a.reduce((sum, value, n) => sum + (value - (b[n] ?? 0)) ** 2, 0);
      const open = [...cells.values()].map(({ uses, exact }) => {
        const color = [...exact].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
        return { uses, channels: channels(color), away: Infinity };
      });
      // Each time the colour whose pixels the kept ones serve worst: a small symbol of a colour
      // of its own comes before one more shade of a letter's edge.
      /** @type {number[][]} */
      const palette = [];
      while (palette.length < most) {
        const cost = (/** @type {(typeof open)[0]} */ c) => (c.away ? c.uses * c.away : 0);
        const next = open.reduce((worst, c) => (cost(c) > cost(worst) ? c : worst));
        if (cost(next) === 0) break;
        palette.push(next.channels);
        for (const c of open) c.away = Math.min(c.away, distance(c.channels, next.channels));
      }
      /** @type {Map<number, number>} */
      const nearest = new Map();
      const find = (/** @type {number} */ color) => {
        let [best, at] = [Infinity, 0];
        palette.forEach((kept, n) => {
          const away = distance(kept, channels(color));
          if (away < best) [best, at] = [away, n];
        });
        nearest.set(color, at);
        return at;
      };
      let text = "";
      for (const color of all) text += String.fromCharCode(nearest.get(color) ?? find(color));
      return {
        width: image.width,
        height: image.height,
        colors: palette.flat(),
        pixels: btoa(text),
      };
    },
    /** @type {const} */ ([png.toString("base64"), kColors]),
  );
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const rows = Buffer.from(pixels, "base64");
  const filtered = Buffer.alloc((width + 1) * height); // each row begins with its filter: none
  for (let y = 0; y < height; ++y)
    rows.copy(filtered, y * (width + 1) + 1, y * width, (y + 1) * width);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(colors)),
    chunk("IDAT", deflateSync(filtered, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
