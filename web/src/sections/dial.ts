// In: the view. Out: the front of every method, and a dial that shows what taking popularity out
// does to both tests, to head, mid and tail, to exposure and to one user's list.
import type { Front, FrontStop } from "../data";
import { append, choice, h, idText, notice, type Child } from "../dom";
import { nameFigures } from "../figure";
import { metric, metricName, percent, plural, share, signed } from "../format";
import { meaning as meaningOf } from "../glossary";
import { kGroupNames, kSlices } from "../palette";
import { bars, type Bar } from "../plots/bars";
import { fitted, legend, panel, refit, sign } from "../plots/frame";
import { fronts, type FrontLine } from "../plots/fronts";
import { shares, sliceRows } from "../plots/shares";
import type { Section } from "../section";
import { table } from "../table";
import { byMerit, type Choice, type Shown, type View } from "../view";
import { dialLists } from "./dial_lists";

const kShownDebias = 0.4; // what train tells about too

export interface Traced {
  method: Shown;
  front: Front;
}

export const dial: Section = {
  id: "dial",
  title: "Dial",
  lead:
    "Take popularity out of the lists, more and more, and see what it costs on the test that is " +
    "like the log and gains on the balanced one, or in an estimate of it where no test is balanced.",
  needsData: true,
  render: (view) => {
    if (!view.set.front)
      return [
        notice(
          "There is no front to draw: every item is equally popular, or the data has no test and no " +
            "validation part that is like the log.",
        ),
      ];
    const traced = view.shown.flatMap((method): Traced[] =>
      method.run.front ? [{ method, front: method.run.front }] : [],
    );
    if (traced.length === 0)
      return [
        notice(
          "None of the chosen methods has a front: its model is missing, cannot be corrected, or " +
            "only figures were kept of so many runs.",
        ),
      ];
    return draw(view, traced);
  },
};

function strengths(traced: Traced[]): number[] {
  const all = traced.flatMap((t) => t.front.stops.map((s) => s.debias));
  return [...new Set(all)].sort((a, b) => a - b);
}

/** The stop nearest to a strength: not every method was measured at another's own strength. */
export function stopAt(front: Front, debias: number): FrontStop {
  return front.stops.reduce((best, stop) =>
    Math.abs(stop.debias - debias) < Math.abs(best.debias - debias) ? stop : best,
  );
}

const nearest = (stops: number[], value: number): number =>
  stops.reduce(
    (best, s) => (Math.abs(s - value) < Math.abs(best - value) ? s : best),
    stops[0] ?? 0,
  );

function draw(view: View, traced: Traced[]): Child[] {
  const stops = strengths(traced);
  const own = Math.max(...traced.map((t) => t.front.debias));
  const debias = view.remember<number>("debias", own > 0 ? own : kShownDebias);
  debias.value = nearest(stops, debias.value); // an address may name any number
  const state = { debias };
  const plots = [frontPlot(view, traced, state), groupPlot(view, traced, state)];
  const shown = exposurePlot(view, traced, state);
  const figures = h("div", { class: "live" });
  const lists = dialLists(view, traced, state.debias);
  const turn = () => {
    for (const plot of [...plots, shown]) plot.querySelectorAll(".plot").forEach(refit);
    figures.replaceChildren();
    append(figures, [figureTable(view, traced, debias.value)]);
    nameFigures(figures.closest("section")!);
    lists.update();
  };
  const element = knob(stops, debias, turn);
  append(figures, [figureTable(view, traced, debias.value)]);
  return [
    h("div", { class: "dial", role: "group", "aria-label": "Popularity correction" }, element),
    h("div", { class: "grid" }, plots),
    shown,
    figures,
    lists.element,
  ];
}

function knob(stops: number[], debias: Choice<number>, turn: () => void): Child[] {
  const output = h("output", { for: "debias" });
  const slider = h("input", {
    type: "range",
    id: "debias",
    "aria-label": "Popularity correction G",
    min: 0,
    max: stops.length - 1,
    step: 1,
    value: stops.indexOf(debias.value),
    oninput: () => {
      debias.set(stops[Number(slider.value)]!);
      tell();
      turn();
    },
  });
  const tell = () => {
    const value = stops[Number(slider.value)]!;
    output.textContent = `${value.toFixed(2)}: ${meaning(value)}`;
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  tell();
  const last = stops[stops.length - 1] ?? 0;
  return [
    h("label", { for: "debias" }, "Popularity correction G"),
    h("span", { class: "end" }, "0"),
    slider,
    h("span", { class: "end" }, last.toFixed(1)),
    output,
  ];
}

function meaning(debias: number): string {
  if (debias === 0) return "lists as logged";
  if (debias < 1) return `${(100 * debias).toFixed(0)} % of the log's popularity taken out`;
  return debias === 1 ? "all of the log's popularity taken out" : "rare items put ahead";
}

interface State {
  debias: Choice<number>;
}

function axisNames(view: View): { logged: string; balanced: string } {
  const { logged, balanced, estimated } = view.set.front!;
  if (!estimated) return { logged: `${logged} (like the log)`, balanced: `${balanced} (balanced)` };
  const part = logged === "valid" ? "validation" : logged;
  return { logged: `${part}, as logged`, balanced: `${part}, balanced (estimated)` };
}

function sampleText(traced: Traced[]): string {
  const { logged_users: a, balanced_users: b, list_users: c } = traced[0]!.front;
  return `Measured on ${plural(a, "user")} and ${plural(b, "user")}, lists of ${plural(c, "user")}.`;
}

function frontPlot(view: View, traced: Traced[], state: State): HTMLElement {
  const key = view.remember<string>("front-metric", "recall", ["recall", "ndcg"]);
  const names = axisNames(view);
  const read = (s: FrontStop): [number, number] =>
    key.value === "ndcg" ? [s.logged_ndcg, s.balanced_ndcg] : [s.logged, s.balanced];
  const lines = (): FrontLine[] =>
    traced.map(({ method, front }) => ({
      method,
      points: front.stops.map((s) => ({ debias: s.debias, x: read(s)[0], y: read(s)[1] })),
      at: front.stops.indexOf(stopAt(front, state.debias.value)),
      own: front.stops.findIndex((s) => s.debias === front.debias),
    }));
  const name = () => metricName(key.value, view.k);
  const host = fitted(
    `Fronts: ${names.balanced} against ${names.logged}`,
    (width) =>
      fronts(lines(), {
        xLabel: `${name()}, ${names.logged}`,
        yLabel: `${name()}, ${names.balanced}`,
        width,
      }),
    () =>
      traced.flatMap(({ method, front }) =>
        front.stops.map((s) => ({ method: method.label, ...plainStop(s) })),
      ),
  );
  const measure = view.set.front!.estimated
    ? null
    : choice(
        "Metric",
        ["recall", "ndcg"].map((value) => ({ value, text: metricName(value, view.k) })),
        key.value,
        (value) => {
          key.set(value);
          refit(host);
        },
      );
  return panel(
    "Fronts",
    "Each line is one model under ever more correction, from as logged (right) to rare items " +
      "first (left). Further up and right is better. Large: the dial. Ring: the strength the " +
      `model was stored with. ${sampleText(traced)}`,
    measure,
    host,
    legend(traced.map((t) => t.method)),
  );
}

function plainStop(s: FrontStop): Record<string, number> {
  return {
    debias: s.debias,
    logged_recall: s.logged,
    balanced_recall: s.balanced,
    logged_ndcg: s.logged_ndcg,
    balanced_ndcg: s.balanced_ndcg,
    gini: s.gini,
    coverage: s.coverage,
    head_share: s.group_share[0],
    mid_share: s.group_share[1],
    tail_share: s.group_share[2],
  };
}

function groupPlot(view: View, traced: Traced[], state: State): HTMLElement {
  const { logged, balanced, estimated } = view.set.front!;
  const side = view.remember<string>("dial-part", balanced, [logged, balanced]);
  const read = (s: FrontStop) =>
    side.value === logged && !estimated ? s.logged_items : s.balanced_items;
  const reach = () =>
    Math.max(...traced.flatMap((t) => t.front.stops.flatMap((s) => [...read(s)])), 1e-6);
  const rows = (): Bar[] =>
    kGroupNames.flatMap((group, g) =>
      traced.map(({ method, front }) => ({
        group,
        method,
        value: read(stopAt(front, state.debias.value))[g]!,
        was: read(front.stops[0]!)[g]!,
      })),
    );
  const label = metricName("recall", view.k);
  const host = fitted(
    `${label} of head, mid and tail items at the dial`,
    (width) =>
      bars(
        rows(),
        traced.map((t) => t.method),
        { label, text: metric, width, reach: reach() },
      ),
    () =>
      rows().map((r) => ({
        group: r.group,
        method: r.method.label,
        recall: r.value,
        recall_as_logged: r.was!,
      })),
  );
  const parts = choice(
    "Test",
    [balanced, logged].map((value) => ({ value, text: value })),
    side.value,
    (value) => {
      side.set(value);
      refit(host);
    },
  );
  return panel(
    "Head, mid and tail at the dial",
    "Only test items of the group count as relevant. The upright line: as logged.",
    logged === balanced ? null : parts,
    host,
  );
}

function exposurePlot(view: View, traced: Traced[], state: State): HTMLElement {
  const rows = () => [
    { name: "consumed", shares: [...view.set.popularity.slice_share] },
    ...traced.map(({ method, front }) => ({
      name: method.label,
      shares: [...stopAt(front, state.debias.value).slice_share],
    })),
  ];
  return panel(
    "Who gets shown at the dial",
    `Places of the lists of ${view.k}, by the popularity of the items.`,
    fitted(
      "Share of slices of the catalogue in the lists at the dial",
      (width) => shares(rows(), kSlices, width),
      () => sliceRows(rows()),
    ),
    legend([...kSlices]),
  );
}

function figureTable(view: View, traced: Traced[], debias: number): HTMLElement {
  const names = axisNames(view);
  const at = (t: Traced) => stopAt(t.front, debias);
  const change = (t: Traced, read: (s: FrontStop) => number) => {
    const [now, before] = [read(at(t)), read(t.front.stops[0]!)];
    return before > 0 ? h("small", {}, ` ${signed(now / before - 1)}`) : null;
  };
  const column = (
    key: string,
    head: string,
    read: (s: FrontStop) => number,
    best: "high" | "low",
    text: (x: number) => string = metric,
  ) => ({
    head,
    explain: meaningOf(key),
    best,
    value: (t: Traced) => read(at(t)),
    cell: (t: Traced) => [text(read(at(t))), change(t, read)],
  });
  const recall = metricName("recall", view.k);
  return panel(
    "Figures at the dial",
    "Small: relative change against the lists as logged. Area: under the front, times 1,000; it compares " +
      "models whatever their strength.",
    table<Traced>(
      "Figures at the dial",
      [
        {
          head: "Method",
          cell: (t) => h("span", { class: "named" }, sign(t.method), idText(t.method.label)),
        },
        column("recall", `${recall}\n${names.balanced}`, (s) => s.balanced, "high"),
        column("recall", `${recall}\n${names.logged}`, (s) => s.logged, "high"),
        column("tail_share", "Tail share", (s) => s.group_share[2], "high", share),
        column("coverage", "Coverage", (s) => s.coverage, "high", percent),
        column("gini", "Gini", (s) => s.gini, "low"),
        {
          head: "Area × 1000",
          explain:
            "Area under the front: compares models whatever their strength. Higher is better.",
          best: "high",
          value: (t) => t.front.area,
          cell: (t) => (1000 * t.front.area).toFixed(3),
        },
      ],
      byMerit(
        view,
        traced.map((t) => t.method),
      ).flatMap((m) => traced.find((t) => t.method === m) ?? []),
      "dial",
    ),
  );
}
