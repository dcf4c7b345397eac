// In: the machine's chromium. Out: a browser for the tests, with software WebGL or with none.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const kPlaces = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export const kChromium = kPlaces.find((path) => path && existsSync(path));

/** @param {{ webgl?: boolean }} [options] */
export function launch({ webgl = true } = {}) {
  if (!kChromium)
    throw new Error("chromium is missing: apt-get install chromium, or set CHROMIUM to its path");
  const gl = webgl
    ? ["--enable-unsafe-swiftshader"]
    : ["--disable-gpu", "--disable-webgl", "--disable-webgl2", "--disable-3d-apis"];
  return chromium.launch({
    executablePath: kChromium,
    args: ["--no-sandbox", "--force-color-profile=srgb", ...gl],
  });
}

export const kSections = [
  "summary",
  "quality",
  "dial",
  "geometry",
  "bias",
  "training",
  "data",
  "explore",
  "reproduce",
];

/** What shows that something went wrong unseen; a message may say that a loss became NaN. */
export const kBroken = /could not be drawn|(?<!became )\bNaN\b|\bundefined\b|\[object/;

/** Waits until every section is drawn. @param {import("playwright-core").Page} page */
export async function drawn(page) {
  await page.waitForSelector("main[data-state=drawn]");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".plot")].every((p) => p.firstChild || !p.clientWidth),
  );
}

/**
 * Opens a page and collects what it complains about.
 * @param {import("playwright-core").Browser} browser @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function open(browser, url, options = {}) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => {
    const slow = /GL Driver Message/.test(message.text()); // software GL says that it is slow
    if (["error", "warning"].includes(message.type()) && !slow) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url()))
      complaints.push(`asked the network for ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/**
 * Share of pixels that differ from the first one.
 * @param {import("playwright-core").Page} page @param {Buffer} png
 */
export function ink(page, png) {
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (!context) return 0;
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(
      context.getImageData(0, 0, image.width, image.height).data.buffer,
    );
    return pixels.reduce((sum, pixel) => sum + (pixel === pixels[0] ? 0 : 1), 0) / pixels.length;
  }, png.toString("base64"));
}

/**
 * Pairs of texts in a section that lie over each other.
 * @param {import("playwright-core").Page} page @param {string} section
 */
export function overlaps(page, section) {
  return page.evaluate((id) => {
    const everything = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    const known = new Map([[/** @type {Element | null} */ (null), everything]]);
    /** @param {{left: number, top: number, right: number, bottom: number}} a @param {typeof a} b */
    const common = (a, b) => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    });
    /**
     * What a scrolling box cuts off is not seen.
     * @param {Element | null} element @returns {typeof everything}
     */
    const window = (element) => {
      const found = known.get(element);
      if (found || !element) return found ?? everything;
      const outer = window(element.parentElement);
      const own =
        getComputedStyle(element).overflow === "visible"
          ? outer
          : common(outer, element.getBoundingClientRect());
      known.set(element, own);
      return own;
    };
    const boxes = [];
    const walker = document.createTreeWalker(
      document.getElementById(id) ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim();
      if (
        !parent ||
        !text ||
        parent.closest("option, [aria-label=tip], details:not([open]) > :not(summary)")
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = parent.namespaceURI?.includes("svg")
        ? [parent.getBoundingClientRect()]
        : [...range.getClientRects()];
      for (const rect of rects) {
        const box = common(window(parent), rect);
        if (box.right - box.left > 2 && box.bottom - box.top > 2)
          boxes.push({ ...box, text: text.slice(0, 40), parent });
      }
    }
    boxes.sort((a, b) => a.top - b.top);
    const found = [];
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1)) {
        if (b.top >= a.bottom) break;
        if (a.parent === b.parent) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const small = Math.min(a.bottom - a.top, b.bottom - b.top);
        if (width > 2 && height > 0.35 * small) found.push(`"${a.text}" over "${b.text}"`);
      }
    return found;
  }, section);
}
