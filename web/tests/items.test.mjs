// In: a page with items. Out: whether one can be found, looked at and followed to users.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, launch, open } from "./browser.mjs";
import { address } from "./pages.mjs";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("an item is found by its title, with who gets it and how often", async () => {
  const { page } = await open(browser, address("normal"));
  await drawn(page);
  await page.locator("#item-search").fill("three of");
  const one = page.locator("#explore-item");
  assert.match(await one.locator("[role=status]").first().innerText(), /^1 item found/);
  await one.getByRole("button", { name: "Three of a Kind" }).click();
  const text = await one.innerText();
  assert.match(text, /item-3/, "its id stands beside the title");
  assert.match(text, /879 users took/);
  const cells = await one.locator("tbody tr").first().locator("td").allInnerTexts();
  // 8,790 of 29,858 lists; 879 of 29,858 users have it.
  assert.deepEqual(cells, ["8,790", "29.44 %", "10.00"]);
  assert.match(page.url(), /item=3/);
  const user = one.locator(".gets button").first();
  const name = await user.innerText();
  await user.click();
  assert.ok((await page.locator("#explore h3").first().innerText()).includes(name));
  await page.close();
});

test("a click on a point of a globe shows its item", async () => {
  const { page } = await open(browser, address("normal"));
  await drawn(page);
  const globe = page.locator("#geometry .globe canvas").first();
  await page.locator("#geometry .globe").first().scrollIntoViewIfNeeded();
  await globe.waitFor();
  await page.waitForTimeout(300);
  const box = await globe.boundingBox();
  assert.ok(box);
  // Somewhere on the ball there is a point.
  for (let n = 0; n < 60 && !page.url().includes("item="); ++n) {
    const [x, y] = [box.x + box.width * (0.3 + 0.007 * n), box.y + box.height * (0.4 + 0.003 * n)];
    await page.mouse.move(x, y);
    if ((await globe.getAttribute("title")) === "") continue;
    const name = await globe.getAttribute("title");
    await page.mouse.down();
    await page.mouse.up();
    assert.match(page.url(), /item=\d+/);
    assert.equal(await page.locator("#explore-item h4 .id").first().innerText(), name);
  }
  assert.match(page.url(), /item=\d+/, "no point was hit");
  await page.close();
});

test("lists that are cut say so, and titles stand in for ids", async () => {
  const { page } = await open(browser, address("normal"));
  await drawn(page);
  assert.match(await page.locator("#explore").innerText(), /Held out \(9 of 12\)/);
  await page.close();
});

test("hard examples tell how their rank moved", async () => {
  const { page } = await open(browser, address("normal"));
  await drawn(page);
  const figure = page.locator("#bias-hard-examples-bc");
  assert.match(await figure.innerText(), /ranks 2 of these 3 higher than softmax/);
  assert.deepEqual(await figure.locator("tbody td:last-child").allInnerTexts(), [
    "+28",
    "+7",
    "−14",
  ]);
  await page.close();
});
