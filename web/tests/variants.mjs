// In: the made-up report. Out: variants that lack something, and the built page filled with one.
// `node tests/variants.mjs OUT.html [normal|empty|many|...]` writes such a page.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeReport } from "./fixture.mjs";

/** @typedef {import("../src/data").ReportData} ReportData */

/** Reports that lack something. @type {Record<string, () => ReportData>} */
export const kVariants = {
  normal: () => makeReport(),
  single: () => {
    const report = makeReport({ methods: 1 });
    for (const r of report.runs)
      Object.assign(r, {
        training: r.training.map((e) => ({
          ...e,
          capped_share: 0,
          seconds: 1,
          loss: 2,
          recall: 0.1,
        })),
      });
    for (const r of report.runs) for (const e of r.evaluations) e.intervals = {};
    return report;
  },
  seeds: () => makeReport({ seeds: 3 }),
  hostile: () => makeReport({ hostile: true }),
  sets: () => makeReport({ sets: ["market one", "market two"], methods: 3 }),
  many: () => makeReport({ methods: 300, detailed: 8 }),
  empty: () => ({
    ...makeReport({ sets: [] }),
    notices: ["No run was given."],
    skipped: [{ path: "nowhere", reason: "there is no such folder." }],
  }),
  "no-test": () => {
    const report = makeReport();
    for (const r of report.runs)
      Object.assign(r, {
        state: "no-test",
        problem: "The data has no test part.",
        evaluations: r.evaluations.slice(0, 1),
      });
    for (const set of report.data_sets) {
      Object.assign(set, { tests: [], main_test: "valid", comparisons: [] });
      for (const m of set.methods) m.evaluations = m.evaluations.slice(0, 1);
    }
    return report;
  },
  diverged: () => {
    const report = makeReport();
    const [first] = report.runs;
    if (first)
      Object.assign(first, {
        state: "diverged",
        problem: "The loss became NaN in epoch 3.",
        evaluations: [],
        exposure: null,
        geometry: null,
        front: null,
        shown: [],
        explore: [],
        best_epoch: null,
        timing: null,
        peak_memory_bytes: null,
        training: first.training
          .slice(0, 3)
          .map((e, i) => (i === 2 ? { ...e, loss: null, recall: null } : e)),
      });
    const [failed] = report.data_sets[0]?.methods ?? [];
    if (failed)
      Object.assign(failed, {
        evaluations: [],
        finding: `${failed.label} diverged in epoch 3, so there is nothing to compare.`,
      });
    return report;
  },
  bare: () => {
    const report = makeReport({ methods: 2 });
    for (const r of report.runs)
      Object.assign(r, {
        state: "no-model",
        problem: "The model is gone.",
        evaluations: [],
        training: [],
        exposure: null,
        geometry: null,
        front: null,
        shown: [],
        explore: [],
      });
    for (const set of report.data_sets) {
      Object.assign(set, {
        tests: [],
        users: [],
        explore: [],
        bias: null,
        front: null,
        manifest: null,
        comparisons: [],
        main_test: "",
        verdict: null,
      });
      set.statistics.parts = [];
      Object.assign(set.popularity, { items: [], users: [], lorenz: [], decile_share: [] });
      for (const m of set.methods) m.evaluations = [];
    }
    return report;
  },
};

export const kTemplate = fileURLToPath(new URL("../dist/report.html", import.meta.url));
const kSlot = '<script type="application/json" id="report-data">';

/** The built page with this text as its data, escaped as the program does it. @param {string} json */
export function fill(json) {
  const [before, after, ...more] = readFileSync(kTemplate, "utf8").split(kSlot);
  if (before === undefined || after === undefined || more.length)
    throw new Error("the template must hold the data's place exactly once");
  return before + kSlot + json.replaceAll("<", "\\u003c") + after;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , out = "fixture.html", variant = "normal"] = process.argv;
  const make = kVariants[variant];
  if (!make)
    throw new Error(`variant '${variant}' is unknown; known: ${Object.keys(kVariants).join(", ")}`);
  writeFileSync(out, fill(JSON.stringify(make())));
}
