// In: index.html and src/. Out: dist/report.html, one file with every script and style inside.
// The result must depend on the sources alone, since a test compares it with the committed file.
import { renameSync } from "node:fs";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig({
  base: "./",
  plugins: [
    viteSingleFile({ removeViteModuleLoader: true }),
    {
      name: "name-the-report",
      closeBundle: () => renameSync("dist/index.html", "dist/report.html"),
    },
  ],
  build: {
    target: "es2022",
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
});
