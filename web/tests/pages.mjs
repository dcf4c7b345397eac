// In: the name of a variant of the fixture, or text. Out: the address of a page filled with it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fill, kVariants } from "./variants.mjs";

const folder = mkdtempSync(join(tmpdir(), "evenkeel-report-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** @param {string} name @param {string} [json] */
export function address(name, json = JSON.stringify(kVariants[name]?.())) {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, fill(json));
  return pathToFileURL(path).href;
}
