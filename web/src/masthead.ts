// In: the view. Out: the head of the page: its title, and in one sentence what was trained on what.
import { h, shorten } from "./dom";
import { count, plural } from "./format";
import type { View } from "./view";

export function masthead(view: View): HTMLElement {
  const dek = h("p", { class: "dek" });
  const show = () => (dek.textContent = story(view));
  view.onChange(show);
  show();
  return h("div", { class: "masthead" }, h("h1", {}, view.report.title || "evenkeel report"), dek);
}

/** Tests may be larger than the log: only the training part says how much was learned from. */
function learned(view: View): string {
  const { parts, interactions } = view.set.statistics;
  const train = parts.find((p) => p.name === "train")?.interactions;
  return train === undefined
    ? `${count(interactions)} interactions.`
    : `${count(train)} interactions to learn from.`;
}

function story(view: View): string {
  const { data_sets, runs } = view.report;
  if (!view.set) return "No run could be read, so this report has nothing to compare.";
  const { name, statistics: s } = view.set;
  const several = data_sets.length > 1;
  const own = several
    ? `${count(view.set.runs.length)} of ${plural(runs.length, "run")}`
    : plural(view.set.runs.length, "run");
  return (
    (several ? `${shorten(name, 80)}: ${plural(view.methods.length, "method")}, ` : "") +
    `${own} on ${count(s.users)} users and ${count(s.items)} items, ${learned(view)}` +
    (several
      ? ` This report covers ${data_sets.length} data sets; the bar on top switches between them.`
      : "")
  );
}
