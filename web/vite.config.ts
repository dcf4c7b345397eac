// In: index.html and src/. Out: dist/report.html, one file with every script and style inside.
// The result must depend on the sources alone: a test compares it with the committed file.
import { renameSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

function nameTheReport(): Plugin {
  let folder = "";
  return {
    name: "name-the-report",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    closeBundle: () => renameSync(resolve(folder, "index.html"), resolve(folder, "report.html")),
  };
}

export default defineConfig({
  base: "./",
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), nameTheReport()],
  build: {
    target: "es2022",
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
});
