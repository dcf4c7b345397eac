// In: the view. Out: metrics with intervals, groups against a baseline, accuracy against fairness.
import { choice, h, idText, notice, shorten, type Child } from "../dom";
import { fixed, isNumber, metric, metricName, percent, share } from "../format";
import { meaning } from "../glossary";
import { kGroupNames } from "../palette";
import { barRows, bars, type Bar } from "../plots/bars";
import { fitted, legend, namedPanel, panel, sign } from "../plots/frame";
import { intervals, type Interval } from "../plots/intervals";
import { pareto, type Pair } from "../plots/pareto";
import { live, type Section } from "../section";
import { table } from "../table";
import {
  byMerit,
  evaluation,
  exposureOf,
  figure,
  mainTest,
  parts,
  seeds,
  type Choice,
  type Shown,
  type View,
} from "../view";
import { comparisons } from "./comparisons";

export const quality: Section = {
  id: "quality",
  title: "Quality",
  lead: "How well each method ranks the items users went on to take, and for which items.",
  needsData: true,
  render: (view) => {
    if (parts(view).length === 0)
      return [notice("No run of this data set has been evaluated: there are no figures.")];
    if (view.shown.length === 0)
      return [notice("No method is chosen: tick one in the bar on top.")];
    return [
      live((redraw) => accuracy(view, redraw)),
      live((redraw) => groups(view, redraw)),
      comparisons(view),
      live((redraw) => fairness(view, redraw)),
      live((redraw) => listMetrics(view, redraw)),
    ];
  },
};

const byPart = (view: View) => (parts(view).length > 2 ? "grid three" : "grid");

const metricKeys = (view: View): string[] => [
  ...new Set(view.methods.flatMap((m) => m.run.evaluations.flatMap((e) => Object.keys(e.metrics)))),
];

function metricChoice(view: View, chosen: Choice<string>, redraw: () => void): HTMLElement {
  return choice(
    "Metric",
    metricKeys(view).map((value) => ({ value, text: metricName(value, view.k) })),
    chosen.value,
    (value) => {
      chosen.set(value);
      redraw();
    },
  );
}

function partChoice(view: View, chosen: Choice<string>, redraw: () => void): HTMLElement | null {
  if (parts(view).length < 2) return null;
  return choice(
    "Test",
    parts(view).map((value) => ({ value, text: value })),
    chosen.value,
    (value) => {
      chosen.set(value);
      redraw();
    },
  );
}

function accuracy(view: View, redraw: () => void): Child[] {
  const key = view.remember<string>("metric", "recall", metricKeys(view));
  const several = view.methods.some((m) => seeds(m.method) > 1);
  const over = view.remember<string>("spread", "users", several ? ["users", "seeds"] : ["users"]);
  const draw = (part: string) => {
    const rows = view.shown
      .map((m) => interval(m, part, key.value, over.value === "seeds"))
      .filter((r) => r !== null);
    const name = `${metricName(key.value, view.k)} on ${part}`;
    if (rows.length === 0) return panel(part, "No shown method has this figure.");
    return namedPanel(
      `accuracy-${part}`,
      part,
      spreadText(rows, evaluation(view.shown[0]!.run, part)?.users, over.value === "seeds"),
      fitted(
        name,
        (width) => intervals(rows, metricName(key.value, view.k), width),
        () =>
          rows.map((r) => ({
            method: r.method.label,
            [key.value]: r.value,
            low: r.low,
            high: r.high,
          })),
      ),
    );
  };
  return [
    h(
      "div",
      { class: "row" },
      metricChoice(view, key, redraw),
      several
        ? choice(
            "Lines",
            [
              { value: "users", text: "95 % over users" },
              { value: "seeds", text: "standard deviation over seeds" },
            ],
            over.value,
            (value) => {
              over.set(value);
              redraw();
            },
          )
        : null,
    ),
    h("div", { class: byPart(view) }, parts(view).map(draw)),
  ];
}

/** Lines of one kind in one chart: over the seeds of a method, or over the users of one seed. */
function interval(method: Shown, part: string, key: string, overSeeds: boolean): Interval | null {
  const value = figure(method.method, part, key);
  if (!isNumber(value)) return null;
  if (overSeeds) {
    const sd = method.method.evaluations.find((e) => e.part === part)?.sd[key];
    return isNumber(sd)
      ? { method, value, low: value - sd, high: value + sd }
      : { method, value, low: null, high: null };
  }
  const own = evaluation(method.run, part);
  const [low, high] = own?.intervals[key] ?? [];
  const centre = own?.metrics[key];
  if (!isNumber(low) || !isNumber(high) || !isNumber(centre))
    return { method, value, low: null, high: null };
  return { method, value, low: value + low - centre, high: value + high - centre };
}

function spreadText(rows: Interval[], users: number | undefined, overSeeds: boolean): string {
  const several = rows.some((r) => seeds(r.method.method) > 1);
  const spread = rows.every((r) => r.low === null)
    ? "No interval is known for this figure."
    : overSeeds
      ? "Lines: one standard deviation over seeds; methods with one seed have none."
      : `Lines: 95 % interval over users${several ? ", as wide as that of one seed" : ""}.`;
  const mean = several ? " Dots: means over seeds." : "";
  const without = overSeeds ? [] : rows.filter((r) => r.low === null);
  const lacking =
    without.length > 0 && without.length < rows.length
      ? ` Without a line: ${without.map((r) => shorten(r.method.label, 40)).join(", ")}; of many ` +
        "runs not every model is read."
      : "";
  return (users ? `${users.toLocaleString("en-US")} users. ` : "") + spread + mean + lacking;
}

function groups(view: View, redraw: () => void): Child[] {
  const key = view.remember<string>("group-metric", "recall", metricKeys(view));
  const part = view.remember("group-part", mainTest(view), parts(view));
  const baseline = view.remember<number>("baseline", -1);
  const options = [
    { value: -1, text: "none (plain figures)" },
    ...view.methods.map((m) => ({ value: m.index, text: m.label })),
  ];
  const against = choice("Baseline", options, baseline.value, (value) => {
    baseline.set(value);
    redraw();
  });
  const base = view.methods.find((m) => m.index === baseline.value);
  const name = metricName(key.value, view.k);
  const label = base ? `${name}: change against ${shorten(base.label, 60)}` : name;
  const side = (title: string, who: "items" | "user_groups", caption: string) => {
    const rows = groupBars(view, base, part.value, key.value, who);
    if (rows.length === 0) return panel(title, "No shown method has figures for these groups.");
    const text = base ? (v: number) => (v > 0 ? "+" : "") + percent(v) : metric;
    return panel(
      title,
      caption,
      fitted(
        `${title}: ${label}`,
        (width) =>
          bars(rows, view.shown, {
            label: base ? "change" : name,
            tick: base ? "+%" : undefined,
            text,
            width,
          }),
        () => barRows(rows, base ? "change" : key.value),
      ),
    );
  };
  return [
    h("h3", {}, "Head, mid and tail"),
    h(
      "div",
      { class: "row" },
      metricChoice(view, key, redraw),
      partChoice(view, part, redraw),
      against,
    ),
    h(
      "div",
      { class: "grid" },
      side("By item popularity", "items", "Only test items of the group count as relevant."),
      side("By user activity", "user_groups", "Only users of the group count."),
    ),
  ];
}

function groupBars(
  view: View,
  base: Shown | undefined,
  part: string,
  key: string,
  who: "items" | "user_groups",
): Bar[] {
  const of = (m: Shown, g: number) => {
    const runs = m.method.runs.flatMap((r) => view.report.runs[r] ?? []);
    const values = runs.map((r) => evaluation(r, part)?.[who]?.[g]?.[key]).filter(isNumber);
    return values.length > 0 ? values.reduce((a, b) => a + b) / values.length : null;
  };
  return kGroupNames.flatMap((group, g) =>
    view.shown.flatMap((method) => {
      const value = of(method, g);
      const reference = base && of(base, g);
      if (!isNumber(value)) return [];
      if (!base) return [{ group, method, value }];
      return isNumber(reference) && reference > 0
        ? [{ group, method, value: value / reference - 1 }]
        : [];
    }),
  );
}

const kFairness = [
  { key: "gini", sign: -1, text: "Gini of exposure (lower is fairer)" },
  { key: "coverage", sign: 1, text: "Catalogue coverage (higher is fairer)" },
  { key: "tail_share", sign: 1, text: "Share of tail items (higher is fairer)" },
] as const;

function fairness(view: View, redraw: () => void): Child[] {
  const x = view.remember<string>(
    "fairness",
    "gini",
    kFairness.map((f) => f.key),
  );
  const measures = choice(
    "Fairness",
    kFairness.map((f) => ({ value: f.key as string, text: f.text })),
    x.value,
    (value) => {
      x.set(value);
      redraw();
    },
  );
  const grey = view.many ? " Grey: methods that are not chosen." : "";
  return [
    h(
      "div",
      { class: "caption" },
      h("h3", {}, "Accuracy against fairness of exposure"),
      h(
        "p",
        { class: "small" },
        "Up is more accurate, right is fairer. The dashed line joins the methods that no other " +
          "beats in both. Exposure is that of the lists of all users, so it is the same for every " +
          `test; only methods whose models were read have it.${grey}`,
      ),
    ),
    h("div", { class: "row" }, measures, legend(view.shown)),
    h(
      "div",
      { class: byPart(view) },
      parts(view).map((part) =>
        trade(view, part, kFairness.find((f) => f.key === x.value) ?? kFairness[0]),
      ),
    ),
  ];
}

function trade(view: View, part: string, measure: (typeof kFairness)[number]): HTMLElement {
  const pairs: Pair[] = view.methods
    .filter((m) => view.many || view.isShown(m))
    .flatMap((method) => {
      const [x, y] = [exposureOf(method, measure.key), figure(method.method, part, "recall")];
      return isNumber(x) && isNumber(y) ? [{ method, x, y, shown: view.isShown(method) }] : [];
    });
  const yLabel = metricName("recall", view.k);
  if (pairs.length === 0) return panel(part, "No method has both figures.");
  return namedPanel(
    `fairness-${part}`,
    part,
    null,
    fitted(
      `${yLabel} against ${measure.text} on ${part}`,
      (width) =>
        pareto(pairs, {
          xLabel: measure.text,
          yLabel,
          sign: measure.sign,
          width: Math.min(width, 640),
        }),
      () => pairs.map((p) => ({ method: p.method.label, [measure.key]: p.x, recall: p.y })),
    ),
  );
}

const kListKeys = [
  "mean_popularity",
  "tail_share",
  "aclt",
  "pop_reo",
  "pop_rsp",
  "novelty",
  "miscalibration",
  "balanced_recall",
];
const kHighIsFair = ["tail_share", "aclt", "novelty", "balanced_recall"];

/** The field's popularity metrics: of the lists of the users of one test. */
function listMetrics(view: View, redraw: () => void): Child[] {
  const part = view.remember("list-part", mainTest(view), parts(view));
  const keys = kListKeys.filter((key) =>
    view.shown.some((m) => isNumber(figure(m.method, part.value, key))),
  );
  if (keys.length === 0) return [];
  const text = (key: string) =>
    key === "tail_share"
      ? share
      : key === "mean_popularity" || key === "novelty"
        ? (x: number | null) => fixed(x, 2)
        : metric;
  return [
    panel(
      "What the lists do with popularity",
      `Lists of the users of ${part.value}. Rest the pointer on a head for its meaning.`,
      h("div", { class: "row" }, partChoice(view, part, redraw)),
      table<Shown>(
        "What the lists do with popularity",
        [
          { head: "Method", cell: (m) => h("span", { class: "named" }, sign(m), idText(m.label)) },
          ...keys.map((key) => ({
            head: metricName(key),
            explain: meaning(key),
            best: kHighIsFair.includes(key) ? ("high" as const) : ("low" as const),
            value: (m: Shown) => figure(m.method, part.value, key),
            cell: (m: Shown) => text(key)(figure(m.method, part.value, key)),
          })),
        ],
        byMerit(view, view.shown),
      ),
    ),
  ];
}
