// In: the view. Out: how each method learned: loss, validation, time; sensitivity in a sweep.
import * as Plot from "@observablehq/plot";
import type { EpochPoint, Sweep } from "../data";
import { choice, h, idText, notice, shorten, type Child } from "../dom";
import { nameFigures } from "../figure";
import { bytes, count, isNumber, metricName, percent, seconds } from "../format";
import { methodSymbol, thingColor } from "../palette";
import { fitted, panel, legend, methodHead, sign } from "../plots/frame";
import { lines, seriesRows, type XY } from "../plots/lines";
import { live, type Section } from "../section";
import { table } from "../table";
import { evaluation, parts, type Shown, type View } from "../view";
import { trainSeconds } from "./summary";

export const training: Section = {
  id: "training",
  title: "Training",
  lead: "How the methods learned, what it cost, and how much the settings matter.",
  needsData: true,
  render: (view) => [curves(view), costs(view), ...sweeps(view)],
};

const curve = (run: { training: EpochPoint[] }, of: (e: EpochPoint) => number | null): XY[] =>
  run.training.flatMap((e): XY[] => {
    const y = of(e);
    return isNumber(y) ? [[e.epoch, y]] : [];
  });

function curves(view: View): Child {
  const trained = view.shown.filter((m) => m.run.training.length > 0);
  if (trained.length === 0) return notice("None of the chosen methods has a record of its epochs.");
  const stopped = trained.filter((m) => m.run.state === "diverged");
  return [
    stopped.length
      ? notice(
          "Training broke down, since the loss was no longer a finite number: " +
            `${stopped.map((m) => shorten(m.label, 60)).join(", ")}. Its curve stops there.`,
        )
      : null,
    h("div", { class: "grid" }, validation(trained), time(trained)),
    losses(trained),
    capped(trained),
  ];
}

const goal = (m: Shown): string | undefined => m.run.config.goal?.toString();

function validation(trained: Shown[]): HTMLElement {
  const series = trained
    .map((method) => ({ method, points: curve(method.run, (e) => e.recall) }))
    .filter((s) => s.points.length);
  const best = trained.flatMap((m) =>
    m.run.training
      .filter((e) => e.epoch === m.run.best_epoch && isNumber(e.recall))
      .map((e) => ({ x: e.epoch, y: e.recall!, color: m.color })),
  );
  if (series.length === 0) return panel("Validation", "No epoch was evaluated.");
  const others = trained.filter((m) => !["logged", undefined].includes(goal(m)));
  return panel(
    "Validation",
    "Recall@20 on validation; a ring marks the best epoch, whose vectors are the model." +
      (others.length
        ? ` ${others.map((m) => `${shorten(m.label, 40)} was trained for the ${goal(m)} goal`).join(", ")}:` +
          " its epochs are ranked with popularity taken out and the best one is chosen by that goal, " +
          "so the curve runs lower and the ring need not be its top."
        : ""),
    fitted(
      "Validation recall by epoch",
      (width) =>
        lines(series, {
          width,
          x: { label: "epoch" },
          y: { label: "Recall@20", nice: true },
          over: [Plot.dot(best, { x: "x", y: "y", r: 8, stroke: (b) => b.color, strokeWidth: 2 })],
        }),
      () => seriesRows(series, "epoch", "recall"),
    ),
    legend(series.map((s) => s.method)),
  );
}

function time(trained: Shown[]): HTMLElement {
  const series = trained.map((method) => ({ method, points: curve(method.run, (e) => e.seconds) }));
  return panel(
    "Seconds per epoch",
    "Wall-clock time of each epoch.",
    fitted(
      "Seconds per epoch",
      (width) =>
        lines(series, {
          width,
          x: { label: "epoch" },
          y: { label: "seconds", zero: true, nice: true },
        }),
      () => seriesRows(series, "epoch", "seconds"),
    ),
    legend(trained),
  );
}

/** Losses of different methods are different quantities: each has its own axis. */
function losses(trained: Shown[]): HTMLElement {
  const one = (method: Shown) => {
    const points = curve(method.run, (e) => e.loss);
    return h(
      "div",
      { class: "panel" },
      methodHead(method),
      points.length === 0
        ? notice("No finite loss was recorded.")
        : fitted(
            `Loss of ${shorten(method.label, 60)} by epoch`,
            (width) =>
              lines([{ method, points }], {
                width,
                height: 190,
                x: { label: "epoch", ticks: 4 },
                y: { label: "loss", ticks: 4, nice: true },
              }),
            () => seriesRows([{ method, points }], "epoch", "loss"),
          ),
    );
  };
  return panel(
    "Training loss",
    "The losses of different methods are different quantities, so each has its own axis.",
    h("div", { class: "grid small-multiples" }, trained.map(one)),
  );
}

const kSomeCapped = 0.001; // one pair of thousands tells nothing

function capped(trained: Shown[]): Child {
  const series = trained
    .map((method) => ({ method, points: curve(method.run, (e) => e.capped_share) }))
    .filter((s) => s.points.some((p) => p[1] >= kSomeCapped));
  if (series.length === 0) return null;
  return panel(
    "Pairs at the cap",
    "Share of positive pairs whose margin reaches the cap in an epoch: they have no " +
      "gradient there.",
    fitted(
      "Share of capped pairs by epoch",
      (width) =>
        lines(series, {
          width: Math.min(width, 570),
          x: { label: "epoch" },
          y: { label: "capped", tickFormat: "%", zero: true },
        }),
      () => seriesRows(series, "epoch", "capped_share"),
    ),
    legend(series.map((s) => s.method)),
  );
}

/** What the runs were trained on; older runs do not say. */
function machineText(view: View): string {
  const own = new Set(view.shown.map((m) => m.run.processor).filter(Boolean));
  if (own.size > 0) return `Trained on ${[...own].join("; ")}. `;
  const cpu = view.report.environment?.cpu;
  return cpu
    ? `The runs do not say on what they were trained; this report was written on ${cpu}. `
    : "";
}

/** Of older runs what was asked for. */
function threadText({ run }: Shown): string {
  if (isNumber(run.threads)) return String(run.threads);
  const asked = run.config.threads;
  return asked === 0 ? "all cores" : asked === undefined ? "–" : String(asked);
}

function costs(view: View): Child {
  if (view.shown.length === 0) return null;
  const state = (m: Shown) => (m.run.state === "ok" ? "fine" : m.run.state);
  return panel(
    "What it cost",
    `${machineText(view)}Times are wall-clock.`,
    table<Shown>(
      "Cost of training",
      [
        { head: "Method", cell: (m) => h("span", { class: "named" }, sign(m), idText(m.label)) },
        { head: "State", cell: state },
        {
          head: "Best epoch",
          value: (m) => m.run.best_epoch,
          cell: (m) => count(m.run.best_epoch),
        },
        { head: "Epochs", value: (m) => m.run.epochs, cell: (m) => count(m.run.epochs) },
        {
          head: "Threads",
          value: (m) => m.run.threads,
          cell: threadText,
        },
        {
          head: "Per epoch",
          best: "low",
          value: (m) => (m.run.epochs === 0 ? null : m.run.timing?.seconds_per_epoch),
          cell: (m) => seconds(m.run.epochs === 0 ? null : m.run.timing?.seconds_per_epoch),
        },
        {
          head: "Training",
          best: "low",
          value: trainSeconds,
          cell: (m) => seconds(trainSeconds(m)),
        },
        {
          head: "Samples / s",
          best: "high",
          value: (m) => m.run.timing?.samples_per_second || null,
          cell: (m) => count(m.run.timing?.samples_per_second || null),
        },
        {
          head: "Memory",
          best: "low",
          value: (m) => m.run.peak_memory_bytes,
          cell: (m) => bytes(m.run.peak_memory_bytes),
        },
        { head: "Finished (UTC)", cell: (m) => m.run.date || "–" },
      ],
      view.shown,
    ),
  );
}

function sweeps(view: View): Child[] {
  const own = view.report.sweeps.filter(
    (s) => view.report.data_sets[s.data_set] === view.set && s.points.length > 1,
  );
  if (own.length === 0) return [];
  return [h("h3", {}, "Sensitivity"), live((redraw) => sensitivity(view, own, redraw))];
}

function sensitivity(view: View, own: Sweep[], redraw: () => void): Child[] {
  const key = view.remember<string>("sweep-metric", "recall", ["recall", "ndcg"]);
  const pick = choice(
    "Metric",
    ["recall", "ndcg"].map((value) => ({ value, text: metricName(value, view.k) })),
    key.value,
    (value) => {
      key.set(value);
      redraw();
    },
  );
  // The longest first; of many the rest is folded away.
  const ordered = [...own].sort((a, b) => b.points.length - a.points.length);
  const some = own.length > kSweepsShown + 1 ? kSweepsShown : own.length;
  const grid = (sweeps: Sweep[]) =>
    h(
      "div",
      { class: "grid" },
      sweeps.map((s) => sweepPanel(view, s, key.value)),
    );
  return [
    h("div", { class: "row" }, pick),
    grid(ordered.slice(0, some)),
    some < own.length
      ? folded(`${own.length - some} more sweeps`, () => grid(ordered.slice(some)))
      : null,
  ];
}

/** Drawn when first opened: what is folded away has no width. */
function folded(title: string, content: () => HTMLElement): HTMLElement {
  const details = h(
    "details",
    {
      ontoggle: () => {
        if (details.childElementCount > 1) return;
        details.append(content());
        const section = details.closest("section");
        if (section) nameFigures(section);
      },
    },
    h("summary", {}, title),
  );
  return details;
}

const kSweepsShown = 4;

function sweepPanel(view: View, sweep: Sweep, key: string): HTMLElement {
  const all = (runs: number[], part: string) =>
    runs
      .map((r) => view.report.runs[r] && evaluation(view.report.runs[r], part)?.metrics[key])
      .filter(isNumber);
  const mean = (runs: number[], part: string) => {
    const values = all(runs, part);
    return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
  };
  const names = sweep.points.map((p) => String(p.value));
  const place = (i: number) => (sweep.numeric ? Number(sweep.points[i]!.value) : i);
  const shown = ["valid", ...parts(view).filter((part) => part !== "valid")];
  const series = shown
    .map((part, slot) => ({
      method: { label: part, color: thingColor(slot), symbol: methodSymbol(slot) },
      points: sweep.points.flatMap((p, i): XY[] => {
        const y = mean(p.runs, part);
        return isNumber(y) ? [[place(i), y]] : [];
      }),
    }))
    .filter((s) => s.points.length > 0);
  // Lines of one kind in one chart: over seeds where every value has several, else over users.
  const seeded = sweep.points.every((p) => all(p.runs, "valid").length > 1);
  const bars = sweep.points.flatMap((p, i) =>
    shown.flatMap((part, slot) => {
      const found = seeded
        ? overSeeds(all(p.runs, part), mean(p.runs, part))
        : overUsers(view, p.runs, part, key, mean(p.runs, part));
      return found ? [{ x: place(i), ...found, color: thingColor(slot) }] : [];
    }),
  );
  const caption =
    `${sweep.method}. A value is to be chosen on valid alone.` +
    (bars.length === 0
      ? ""
      : ` Upright lines: ${seeded ? "standard deviation over seeds" : "95 % interval over users, where it is known"}.`);
  if (series.length === 0) return panel(sweep.key, `${caption} No run of it has figures.`);
  const ticks = sweep.points.map((_, i) => place(i));
  const wide = sweep.numeric && ticks[0]! > 0 && Math.max(...ticks) / ticks[0]! >= 8;
  const scale = {
    type: wide ? "log" : "linear",
    ticks,
    tickFormat: (x: number) => shorten(names[ticks.indexOf(x)] ?? "", 12),
  } as const;
  return panel(
    sweep.key,
    caption,
    fitted(
      `${metricName(key, view.k)} by ${sweep.key}`,
      (width) =>
        lines(series, {
          width: Math.min(width, 640),
          x: { label: sweep.key, inset: 14, ...scale },
          y: { label: metricName(key, view.k), nice: true },
          dots: !sweep.numeric,
          under: bars.map(({ x, low, high, color }) =>
            Plot.ruleX([x], { y1: low, y2: high, stroke: color, strokeOpacity: 0.7 }),
          ),
        }),
      () => seriesRows(series, sweep.key, key),
    ),
    legend(series.map((s) => s.method)),
    spread(series.map((s) => s.points)),
  );
}

interface Span {
  low: number;
  high: number;
}

function overSeeds(values: number[], mean: number | null): Span | null {
  if (!isNumber(mean) || values.length < 2) return null;
  const sum = values.reduce((a, v) => a + (v - mean) ** 2, 0);
  const sd = Math.sqrt(sum / (values.length - 1));
  return { low: mean - sd, high: mean + sd };
}

/** As wide as that of one seed, around the mean of all. */
function overUsers(
  view: View,
  runs: number[],
  part: string,
  key: string,
  mean: number | null,
): Span | null {
  if (!isNumber(mean)) return null;
  for (const index of runs) {
    const run = view.report.runs[index];
    const found = run && evaluation(run, part);
    const [low, high] = found?.intervals[key] ?? [];
    const centre = found?.metrics[key];
    if (isNumber(low) && isNumber(high) && isNumber(centre))
      return { low: mean + low - centre, high: mean + high - centre };
  }
  return null;
}

function spread(all: XY[][]): Child {
  const worst = Math.max(
    ...all.map((points) => {
      const ys = points.map((p) => p[1]);
      return Math.max(...ys) / Math.max(1e-12, Math.min(...ys)) - 1;
    }),
  );
  return h(
    "p",
    { class: "small" },
    `From the worst to the best value the figure grows by up to ${percent(worst, 0)}.`,
  );
}
