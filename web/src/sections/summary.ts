// In: the view. Out: what was trained on what, the headline table, and one finding for each method.
import { h, idText, notice, type Child } from "../dom";
import { glued, isNumber, metric, metricName, percent, plural, seconds, share } from "../format";
import { meaning } from "../glossary";
import { panel, sign } from "../plots/frame";
import type { Section } from "../section";
import { table, type Column } from "../table";
import { byMerit, figure, mainTest, parts, seeds, type Shown, type View } from "../view";
import { kBeyondChance } from "../plots/forest";
import { differences } from "./comparisons";
import { verdict } from "./verdict";

export const summary: Section = {
  id: "summary",
  title: "Summary",
  lead: "Who is ahead, by how much, and what each method does.",
  needsData: false,
  render: (view) => [
    verdict(view),
    warnings(view),
    view.set ? headline(view) : null,
    view.set ? findings(view) : null,
  ],
};

function warnings(view: View): Child {
  const { notices, skipped, runs } = view.report;
  const said = (problem: string | null) => notices.some((n) => problem && n.includes(problem));
  const troubled = runs.filter((r) => r.state !== "ok" && !said(r.problem));
  if (notices.length + skipped.length + troubled.length === 0) return null;
  return h(
    "div",
    { class: "live", style: "gap:0.6rem" },
    notices.map((text) => notice(text)),
    folded(
      `${plural(skipped.length, "folder")} left out`,
      skipped.map((s) => [s.path, s.reason]),
    ),
    folded(
      `${plural(troubled.length, "run")} with something missing`,
      troubled.map((r) => [r.label, r.problem ?? r.state]),
    ),
  );
}

/** A few are said at once, many are folded away. */
function folded(title: string, rows: [string, string][]): Child {
  if (rows.length === 0) return null;
  const lines = rows.map(([name, reason]) => h("li", {}, idText(name), ": ", reason));
  return h(
    "details",
    { class: "notice", open: rows.length <= 4 },
    h("summary", {}, title),
    h("ul", {}, lines),
  );
}

function headline(view: View): Child {
  if (view.methods.length === 0) return notice("No method of this data set has a run to show.");
  return panel(
    "Headline figures",
    explanation(view),
    table("Headline figures", columns(view), byMerit(view, view.many ? view.methods : view.shown)),
  );
}

function explanation(view: View): Child {
  const several = view.methods.some((m) => seeds(m.method) > 1);
  const tests = view.set.tests.length
    ? ""
    : " There is no test data: the figures are those of validation, on which the best " +
      "epoch was chosen.";
  const encoders = new Set(view.methods.map(encoder).filter(Boolean));
  const all = encoders.size === 1 ? ` All of them: ${[...encoders][0]}.` : "";
  return [
    `Best on ${mainTest(view)} first. Bold: best of the column` +
      `${view.set.comparisons.length ? ", and what cannot be told apart from it" : ""}. ` +
      `A column's head sorts the table.${several ? " ± is the standard deviation over seeds." : ""}` +
      `${all}${tests} `,
    h("a", { href: "#glossary", onclick: openGlossary }, "What the words mean"),
  ];
}

function openGlossary(): void {
  document.getElementById("glossary")?.setAttribute("open", "");
}

/** Nothing for methods without vectors. */
const encoder = (m: Shown): string =>
  m.run.epochs === 0 ? "" : `${m.run.encoder}, ${plural(m.run.dim, "dimension")}`;

function columns(view: View): Column<Shown>[] {
  const figures = parts(view).flatMap((part) => [
    accuracy(view, part, "recall"),
    accuracy(view, part, "ndcg"),
  ]);
  return [
    { head: "Method", cell: (m) => h("span", { class: "named" }, sign(m), idText(m.label)) },
    ...(new Set(view.methods.map(encoder).filter(Boolean)).size > 1
      ? [{ head: "Encoder", cell: (m: Shown) => encoder(m) || "–" }]
      : []),
    ...figures,
    exposure("Gini", meaning("gini")!, (m) => m.run.exposure?.gini, "low", metric),
    exposure("Coverage", meaning("coverage")!, (m) => m.run.exposure?.coverage, "high", percent),
    exposure(
      "Tail share",
      meaning("tail_share")!,
      (m) => m.run.exposure?.tail_share,
      "high",
      share,
    ),
    exposure("Training", "Time to train", trainSeconds, "low", seconds),
  ];
}

function accuracy(view: View, part: string, key: string): Column<Shown> {
  const value = (m: Shown) => figure(m.method, part, key);
  const spread = (m: Shown) => m.method.evaluations.find((e) => e.part === part)?.sd[key];
  return {
    head: `${metricName(key, view.k)}\n${part}`,
    explain: meaning(key),
    best: "high",
    level: (m, best) =>
      differences(view, best.index, part, key).some((d) => d.method === m && d.p >= kBeyondChance),
    value,
    cell: (m) => {
      const sd = spread(m);
      return [metric(value(m)), isNumber(sd) ? h("small", {}, ` ± ${sd.toFixed(4)}`) : null];
    },
  };
}

/** Nothing where nothing was trained: no method wins by that. */
export const trainSeconds = (m: Shown): number | null | undefined =>
  m.run.epochs === 0 ? null : m.run.timing?.train_seconds;

type Read = (m: Shown) => number | null | undefined;

function exposure(
  head: string,
  explain: string,
  value: Read,
  best: "high" | "low",
  text: (x: number | null | undefined) => string,
): Column<Shown> {
  return { head, explain, value, best, cell: (m) => text(value(m)) };
}

function findings(view: View): Child {
  const told = byMerit(view, view.shown).filter((m) => m.method.finding || m.run.finding);
  if (told.length === 0) return null;
  const item = (m: Shown) => {
    const finding = m.method.finding || m.run.finding;
    const rest = finding.startsWith(m.label) ? finding.slice(m.label.length) : ` ${finding}`;
    return h("li", { style: `border-color:${m.color}` }, h("b", {}, idText(m.label)), glued(rest));
  };
  return h(
    "div",
    { class: "panel" },
    h("h3", {}, `Findings, best on ${mainTest(view)} first`),
    h("ul", { class: "findings" }, told.map(item)),
  );
}
