// In: build/evenkeel and a synthetic market. Out: whether the page of `evenkeel serve` finds,
// lists, turns its dial and shows errors, in a real browser and without a word on the console.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";

const program = process.env.EVENKEEL ?? new URL("../../build/evenkeel", import.meta.url).pathname;
const skip = existsSync(program) ? false : "build/evenkeel is not there";
/** @type {string} */
let folder;
/** @type {import("node:child_process").ChildProcessWithoutNullStreams} */
let server;
/** @type {string} */
let address;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "evenkeel-serve-"));
  /** @param {string[]} words */
  const run = (...words) => execFileSync(program, words, { stdio: "ignore" });
  run(
    "synth",
    "--out",
    join(folder, "market"),
    "--users",
    "400",
    "--items",
    "300",
    "--interactions",
    "6000",
  );
  run("train", join(folder, "market"), "--out", join(folder, "run"), "--epochs", "2", "--dim", "8");
  const ids = execFileSync(program, ["find", join(folder, "run"), "", "-k", "1000"], {
    encoding: "utf8",
  });
  const titles = ids
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[0]);
  writeFileSync(
    join(folder, "titles.csv"),
    "item_id,title\n" + titles.map((id) => `${id},"<b>Title</b> of ${id}"`).join("\n"),
  );
  server = spawn(program, [
    "serve",
    join(folder, "run"),
    "--port",
    "0",
    "--titles",
    join(folder, "titles.csv"),
  ]);
  address = await new Promise((resolve, reject) => {
    let text = "";
    server.stderr.on("data", (bytes) => {
      text += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    server.on("exit", () => reject(new Error(text)));
  });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
  if (folder) rmSync(folder, { recursive: true });
});

// The page may ask its own server and nobody else.
/** @param {string[]} complaints */
const unexpected = (complaints) =>
  complaints.filter((text) => !text.startsWith(`asked the network for ${address}/`));

test("a user's history, list and dial", { skip }, async () => {
  const { page, complaints } = await open(browser, address);
  await page.waitForFunction(() =>
    document.querySelector("#model")?.textContent?.includes("users"),
  );
  await page.locator("#hits button").first().click();
  await page.waitForSelector("#right tr");
  assert.equal(await page.locator("#right tr").count(), 20);
  assert.ok((await page.locator("#left tr").count()) > 0);
  assert.match((await page.locator("#left-title").textContent()) ?? "", /History of /);
  const names = () => page.locator("#right td.name").allTextContents();
  const plain = await names();
  assert.match(plain[0] ?? "", /<b>Title<\/b> of /, "titles are text, never markup");
  await page.locator("#debias").fill("1");
  await page.waitForFunction(
    (first) =>
      [...document.querySelectorAll("#right td.name")].map((c) => c.textContent).join() !== first,
    plain.join(),
  );
  assert.notDeepEqual(await names(), plain);
  assert.match(page.url(), /#user=/);
  assert.deepEqual(unexpected(complaints), []);
  await page.close();
});

test("an item by its title, and its neighbours", { skip }, async () => {
  const { page, complaints } = await open(browser, address);
  await page.selectOption("#kind", "item");
  await page.fill("#q", "title");
  await page.waitForFunction(() =>
    document.querySelector("#hits button")?.textContent?.includes("Title"),
  );
  await page.locator("#hits button").first().click();
  await page.waitForSelector("#right tr");
  assert.equal(await page.locator("#right-title").textContent(), "Nearest items");
  await page.fill("#q", "nothing is called this");
  await page.waitForSelector("#message:not([hidden])");
  assert.deepEqual(unexpected(complaints), []);
  await page.close();
});

test("narrow screens do not scroll sideways", { skip }, async () => {
  const { page } = await open(browser, address, { viewport: { width: 360, height: 700 } });
  await page.locator("#hits button").first().click();
  await page.waitForSelector("#right tr");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false);
  await page.close();
});
