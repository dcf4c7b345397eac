// In: the view. Out: what popularity explains of the data, and what each method makes of it.
import * as Plot from "@observablehq/plot";
import type { Bias, BiasSide, Exposure, Margins } from "../data";
import { h, notice, shorten, type Child } from "../dom";
import { count, fixed, glued, isNumber, percent, plural, share } from "../format";
import { kGroupNames, kSlices, thingColor } from "../palette";
import { fitted, panel, legend, methodHead } from "../plots/frame";
import { heat } from "../plots/heat";
import { histogram, layerRows } from "../plots/histogram";
import { lines, seriesRows, type XY } from "../plots/lines";
import { kTurns, noiseOf, pointRows, scatter, turns } from "../plots/scatter";
import { shares, sliceRows } from "../plots/shares";
import type { Section } from "../section";
import type { Shown, View } from "../view";
import { hardExamples } from "./hard";

export const bias: Section = {
  id: "bias",
  title: "Bias",
  lead:
    "How much of the data popularity alone explains, and how unequally each method " +
    "hands out attention.",
  needsData: true,
  render: (view) => [
    view.set.bias
      ? degree(view.set.bias)
      : notice(
          "No popularity extractor could be had for this data set, so there is no bias " +
            "degree to show.",
        ),
    groupsAndMargins(view),
    ...exposures(view),
    h("div", { class: "grid" }, hardExamples(view)),
  ],
};

function degree(bias: Bias): Child {
  return [
    h("p", { class: "small" }, bias.source),
    h(
      "div",
      { class: "grid" },
      side("items", bias.items, thingColor(0)),
      side("users", bias.users, thingColor(3)),
    ),
  ];
}

function nineGroups(bias: Bias): HTMLElement {
  return panel(
    "Bias angle of the nine groups",
    "Mean angle ξ in radians, ± standard deviation, over training pairs. Small: " +
      "popularity alone predicts the pair; large: it cannot.",
    fitted(
      "Mean bias angle by user and item group",
      (width) => heat(bias.nine, Math.min(width, 640)),
      () =>
        kGroupNames.flatMap((user, u) =>
          kGroupNames.map((item, i) => ({
            user_group: user,
            item_group: item,
            mean_radians: bias.nine.mean[u]![i]!,
            sd_radians: bias.nine.sd[u]![i]!,
            pairs: bias.nine.count[u]![i]!,
          })),
        ),
    ),
  );
}

function side(
  who: string,
  { points, by_value: means, trend, pearson, pearson_log, pearson_rows, count: rows }: BiasSide,
  color: string,
): HTMLElement {
  const title = `Bias degree against ${who.slice(0, -1)} popularity`;
  const r = h(
    "span",
    {},
    "Pearson r = ",
    h("strong", {}, fixed(pearson, 4)),
    ` over ${plural(means.length, "popularity value")} (rings; with log popularity ` +
      `${fixed(pearson_log, 4)}), ${fixed(pearson_rows, 4)} over single ${who} (dots: ` +
      `${count(points.length)} of ${count(rows)}). Line: mean of all.` +
      (turns(trend, noiseOf(points)) ? kTurns : ""),
  );
  if (points.length === 0) return panel(title, r, notice("There are no points to draw."));
  return panel(
    title,
    r,
    fitted(
      `${title}, Pearson r ${fixed(pearson, 4)}`,
      (width) =>
        scatter({
          points,
          means,
          trend,
          color,
          xLabel: "training interactions",
          yLabel: "bias degree cos ξ",
          width,
        }),
      () => pointRows(points, "training_interactions", "bias_degree"),
    ),
  );
}

interface Exposed {
  method: Shown;
  exposure: Exposure;
}

function exposures(view: View): Child[] {
  const told: Exposed[] = view.shown.flatMap((method) =>
    method.run.exposure ? [{ method, exposure: method.run.exposure }] : [],
  );
  if (told.length === 0)
    return [
      notice(
        "None of the chosen methods has exposure figures: their models or their data could " +
          "not be read.",
      ),
    ];
  return [
    h("div", { class: "grid" }, lift(view, told), lorenz(view, told)),
    sliceShares(view, told),
  ];
}

function lift(view: View, told: Exposed[]): HTMLElement {
  const series = told.map(({ method, exposure }) => ({
    method,
    points: exposure.lift.flatMap((y, i): XY[] => (isNumber(y) ? [[i + 1, y]] : [])),
  }));
  return panel(
    "Popularity lift",
    "How often a tenth of the items is recommended, over how often it was consumed. 1 " +
      `is neutral; above, the list of ${view.k} favours it. A tenth that nobody consumed ` +
      "has no lift.",
    fitted(
      "Popularity lift by decile of item popularity",
      (width) =>
        lines(series, {
          width,
          x: {
            label: "decile of items, most popular first",
            domain: [1, 10],
            ticks: 10,
            tickFormat: "d",
          },
          y: { label: "lift (square-root scale)", type: "sqrt", zero: true, ticks: 5 },
          under: [Plot.ruleY([1], { stroke: "var(--soft)", strokeDasharray: "5 4" })],
        }),
      () => seriesRows(series, "decile", "lift"),
    ),
    legend(told.map((t) => t.method)),
  );
}

function lorenz(view: View, told: Exposed[]): HTMLElement {
  const { popularity } = view.set;
  const series = told.map(({ method, exposure }) => ({ method, points: exposure.lorenz as XY[] }));
  return panel(
    "Lorenz curve of exposure",
    "Below: Gini, 0 where all items are shown alike. Dashed: consumption in training " +
      `(${fixed(popularity.gini, 3)}); straight: equal exposure.`,
    fitted(
      "Lorenz curves of exposure",
      (width) =>
        lines(series, {
          width,
          x: {
            label: "share of items, least exposed first",
            tickFormat: "%",
            domain: [0, 1],
            ticks: 5,
          },
          y: { label: "share of exposure", tickFormat: "%", domain: [0, 1] },
          under: [
            Plot.line(
              [
                [0, 0],
                [1, 1],
              ],
              { stroke: "var(--rule)", strokeWidth: 1.5 },
            ),
            Plot.line(popularity.lorenz, {
              stroke: "currentColor",
              strokeDasharray: "5 4",
              strokeWidth: 1.5,
            }),
          ],
        }),
      () => seriesRows(series, "share_of_items", "share_of_exposure"),
    ),
    legend(told.map((t) => withFigure(t.method, fixed(t.exposure.gini, 3)))),
  );
}

/** A key of the legend that ends in a figure, however long its name. */
const withFigure = (method: Shown, text: string) => ({
  ...method,
  label: `${shorten(method.label, 39 - text.length)} ${text}`,
});

function sliceShares(view: View, told: Exposed[]): HTMLElement {
  const rows = [
    { name: "consumed", shares: [...view.set.popularity.slice_share] },
    ...told.map(({ method, exposure }) => ({
      name: method.label,
      shares: [...exposure.slice_share],
    })),
  ];
  const tails = told
    .map((t) => `${shorten(t.method.label, 24)} ${share(t.exposure.group_share[2])}`)
    .join(", ");
  return panel(
    "Who gets shown",
    glued(
      "Items by popularity: their share of what was consumed and of what is recommended. The " +
        `rarest third (tail) has ${share(view.set.popularity.group_share[2])} of consumption; of ` +
        `the lists: ${tails}.`,
    ),
    fitted(
      `Share of slices of the catalogue: ${rows.map((r) => r.name).join(", ")}`,
      (width) => shares(rows, kSlices, width),
      () => sliceRows(rows),
    ),
    legend([...kSlices]),
  );
}

/** Two runs with margins fit beside the nine groups they come from; more get a row of their own. */
function groupsAndMargins(view: View): Child {
  const told = view.shown.flatMap((method) =>
    method.run.margins ? [{ method, margins: method.run.margins }] : [],
  );
  const nine = view.set.bias ? nineGroups(view.set.bias) : null;
  if (told.length === 0) return nine;
  const row = panel(
    "Margins",
    "How large a margin each training pair must keep (radians), and how many pairs are " +
      "at the cap, where they have no gradient.",
    h(
      "div",
      { class: told.length > 1 ? "grid small-multiples tight" : "grid" },
      told.map(({ method, margins }) =>
        margin(method, margins, Math.max(...told.map((t) => reach(t.margins)))),
      ),
    ),
  );
  return told.length > 2 ? [nine, row] : h("div", { class: "grid" }, nine, row);
}

const reach = (m: Margins): number =>
  Math.max(m.bin_radians, m.bin_radians * (m.histogram.findLastIndex((s) => s > 0) + 1));

function margin(method: Shown, m: Margins, end: number): HTMLElement {
  const own = isNumber(m.pearson_items)
    ? ` Own extractor: Pearson r ${fixed(m.pearson_items, 3)} with item, ` +
      `${fixed(m.pearson_users, 3)} with user popularity.`
    : "";
  return h(
    "div",
    { class: "panel" },
    methodHead(method),
    h(
      "p",
      { class: "small" },
      `${m.kind} × ${m.strength}: mean ${fixed(m.mean, 3)}, sd ${fixed(m.sd, 3)}; ` +
        `${percent(m.capped_share)} of pairs capped.${own}`,
    ),
    fitted(
      `Margins of ${shorten(method.label, 60)}`,
      (width) =>
        histogram([{ color: method.color, shares: m.histogram, mean: m.mean }], {
          bin: m.bin_radians,
          end,
          label: "margin (radians)",
          width,
          height: 190,
        }),
      () => layerRows([{ color: "", shares: m.histogram, mean: m.mean }], ["share"], m.bin_radians),
    ),
  );
}
