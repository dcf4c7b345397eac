// In: the machine's chromium. Out: a browser for the tests, with software WebGL or with none.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const kPlaces = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const kChromium = kPlaces.find((path) => path && existsSync(path));

/** @param {{ webgl?: boolean }} [options] */
export function launch({ webgl = true } = {}) {
  if (!kChromium) throw new Error("chromium is missing: apt-get install chromium, or set CHROMIUM to its path");
  const gl = webgl ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    : ["--disable-gpu", "--disable-webgl", "--disable-webgl2", "--disable-3d-apis"];
  return chromium.launch({ executablePath: kChromium, args: ["--no-sandbox", "--force-color-profile=srgb", ...gl] });
}

export const kSections = ["summary", "quality", "geometry", "bias", "training", "data", "explore", "reproduce"];

/** Waits until every section is drawn. @param {import("playwright-core").Page} page */
export async function drawn(page) {
  await page.waitForFunction((n) => document.querySelectorAll("section[data-drawn]").length === n, kSections.length);
  await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((p) => p.firstChild || !p.clientWidth));
}
