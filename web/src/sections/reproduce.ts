// In: the view. Out: the commands, settings, seeds and versions that give the same figures again.
import type { Run } from "../data";
import { h, idText, notice, shorten, type Child } from "../dom";
import { plural } from "../format";
import { words } from "../glossary";
import { panel } from "../plots/frame";
import type { Section } from "../section";
import { table } from "../table";
import type { View } from "../view";

export const reproduce: Section = {
  id: "reproduce",
  title: "Reproduce",
  lead:
    "The same data, options and seed give the same model, bit for bit, at any number " +
    "of threads.",
  needsData: false,
  render: (view) => [
    versions(view),
    view.set ? commands(view) : null,
    view.set ? settings(view) : null,
    glossary(),
  ],
};

function versions(view: View): Child {
  const e = view.report.environment;
  if (!e) return notice("This report does not say which program wrote it.");
  return [
    h(
      "dl",
      { class: "facts" },
      Object.entries({
        evenkeel: e.evenkeel,
        Compiler: e.compiler,
        SIMD: e.simd,
        Processor: e.cpu,
      }).map(([term, text]) => [h("dt", {}, term), h("dd", {}, text || "unknown")]),
    ),
    panel("This report", null, command(e.command)),
  ];
}

function glossary(): HTMLElement {
  return h(
    "details",
    { id: "glossary" },
    h("summary", {}, "Glossary"),
    h(
      "dl",
      { class: "facts" },
      words().map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]),
    ),
  );
}

function command(text: string): HTMLElement {
  // An option is not broken at its hyphens.
  const words = text.split(" ").flatMap((word) => [h("span", { class: "word" }, word), " "]);
  const code = h("code", {}, ...(text ? words.slice(0, -1) : ["unknown"]));
  const copy = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
          copy.textContent = "Copied";
        } catch {
          getSelection()?.selectAllChildren(code); // no clipboard from file:// in some browsers
          copy.textContent = "Selected: press Ctrl+C";
        }
      },
    },
    "Copy",
  );
  return h("div", { class: "command" }, h("pre", {}, code), h("div", {}, copy));
}

const runsOf = (view: View): Run[] =>
  view.shown
    .flatMap((m) => m.method.runs.map((r) => view.report.runs[r]))
    .filter((r) => r !== undefined);

const kOpen = 8; // of more runs only the first command is unfolded

function commands(view: View): Child {
  const runs = runsOf(view);
  if (runs.length === 0) return notice("No method is chosen: tick one in the bar on top.");
  const one = (run: Run, i: number) =>
    h(
      "details",
      { open: runs.length <= kOpen || i === 0 },
      h("summary", {}, idText(run.label), ` · seed ${run.seed}`),
      command(run.command),
    );
  return panel("Runs", `${plural(runs.length, "run")} of the chosen methods.`, ...runs.map(one));
}

/** Options that differ come first: they are why the runs differ. */
function settings(view: View): Child {
  const runs = runsOf(view);
  if (runs.length === 0) return null;
  const keys = [...new Set(runs.flatMap((r) => Object.keys(r.config)))].sort();
  const text = (run: Run, key: string) => (key in run.config ? String(run.config[key]) : "–");
  const differs = (key: string) => runs.some((r) => text(r, key) !== text(runs[0]!, key));
  const columns = [
    { head: "Option", cell: (key: string) => h("code", {}, key) },
    ...runs.map((run) => ({
      head: shorten(run.label, 40),
      cell: (key: string) => idText(text(run, key)),
    })),
  ];
  const different = keys.filter(differs);
  const same = keys.filter((k) => !differs(k));
  return [
    different.length
      ? panel("Settings that differ", null, table("Settings that differ", columns, different))
      : null,
    h(
      "details",
      {},
      h("summary", {}, `${plural(same.length, "setting")} that all chosen runs share`),
      table(
        "Shared settings",
        columns.slice(0, 2).map((c, i) => (i ? { ...c, head: "Value" } : c)),
        same,
      ),
    ),
  ];
}
