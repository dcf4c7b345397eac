// In: the machine's chromium. Out: a browser for the tests, with software WebGL or with none.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const kPlaces = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const kChromium = kPlaces.find((path) => path && existsSync(path));

/** @param {{ webgl?: boolean }} [options] */
export function launch({ webgl = true } = {}) {
  if (!kChromium) throw new Error("chromium is missing: apt-get install chromium, or set CHROMIUM to its path");
  const gl = webgl ? ["--enable-unsafe-swiftshader"]
    : ["--disable-gpu", "--disable-webgl", "--disable-webgl2", "--disable-3d-apis"];
  return chromium.launch({ executablePath: kChromium, args: ["--no-sandbox", "--force-color-profile=srgb", ...gl] });
}

export const kSections = ["summary", "quality", "geometry", "bias", "training", "data", "explore", "reproduce"];

/** What a page shows when something went wrong unseen; a message may well say that a loss became NaN. */
export const kBroken = /could not be drawn|(?<!became )\bNaN\b|\bundefined\b|\[object/;

/** Waits until every section is drawn. @param {import("playwright-core").Page} page */
export async function drawn(page) {
  await page.waitForFunction((n) => document.querySelectorAll("section[data-drawn]").length === n, kSections.length);
  await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((p) => p.firstChild || !p.clientWidth));
}

/**
 * Opens a page and collects what it complains about.
 * @param {import("playwright-core").Browser} browser @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function open(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked the network for ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Share of pixels that differ from the first one. @param {import("playwright-core").Page} page @param {Buffer} png */
export function ink(page, png) {
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (!context) return 0;
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return pixels.reduce((sum, pixel) => sum + (pixel === pixels[0] ? 0 : 1), 0) / pixels.length;
  }, png.toString("base64"));
}

/** Pairs of texts in a section that lie over each other. @param {import("playwright-core").Page} page @param {string} section */
export function overlaps(page, section) {
  return page.evaluate((id) => {
    /** What a scrolling box cuts off is not seen. @param {Element} element @param {DOMRect} box */
    const visible = (element, box) => {
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
      for (let e = element.parentElement; e; e = e.parentElement) {
        if (getComputedStyle(e).overflow === "visible") continue;
        const clip = e.getBoundingClientRect();
        [left, top] = [Math.max(left, clip.left), Math.max(top, clip.top)];
        [right, bottom] = [Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
      }
      return { left, top, right, bottom };
    };
    const boxes = [];
    const walker = document.createTreeWalker(document.getElementById(id) ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim();
      if (!parent || !text || parent.closest("option, [aria-label=tip], details:not([open]) > :not(summary)")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = parent.namespaceURI?.includes("svg") ? [parent.getBoundingClientRect()] : [...range.getClientRects()];
      for (const rect of rects) {
        const box = visible(parent, rect);
        if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push({ ...box, text: text.slice(0, 40), parent });
      }
    }
    const found = [];
    for (let i = 0; i < boxes.length; ++i)
      for (let j = i + 1; j < boxes.length; ++j) {
        const [a, b] = [boxes[i], boxes[j]];
        if (!a || !b || a.parent === b.parent) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const small = Math.min(a.bottom - a.top, b.bottom - b.top);
        if (width > 2 && height > 0.35 * small) found.push(`"${a.text}" over "${b.text}"`);
      }
    return found;
  }, section);
}
