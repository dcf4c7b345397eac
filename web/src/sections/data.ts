// In: the view. Out: the data set itself: its size, its long tail, its parts and how they were cut.
import type { PartStatistics } from "../data";
import { h, idText, notice, type Child } from "../dom";
import { count, fixed, percent, plural } from "../format";
import { methodSymbol, thingColor } from "../palette";
import { fitted, panel, legend } from "../plots/frame";
import { lines, seriesRows } from "../plots/lines";
import type { Section } from "../section";
import { table } from "../table";
import type { View } from "../view";

export const data: Section = {
  id: "data",
  title: "Data",
  lead: "What the methods learned from, and how far from uniform each part of it is.",
  needsData: true,
  render: (view) => [
    facts(view),
    parts(view),
    h("div", { class: "grid" }, ranks(view), deciles(view)),
    manifest(view),
    sampling(view),
  ],
};

function facts(view: View): Child {
  const { name, path, statistics: s } = view.set;
  const tile = (term: string, text: string) => h("div", {}, h("dt", {}, term), h("dd", {}, text));
  return [
    h(
      "p",
      {},
      idText(name),
      path && path !== name ? [" from ", h("code", { class: "id" }, path)] : null,
    ),
    h(
      "dl",
      { class: "tiles" },
      tile("Users", count(s.users)),
      tile("Items", count(s.items)),
      tile("Interactions, all parts", count(s.interactions)),
      tile("Density", percent(s.density, 3)),
      s.users > 0 ? tile("Per user", fixed(s.interactions / s.users, 1)) : null,
      s.items > 0 ? tile("Per item", fixed(s.interactions / s.items, 1)) : null,
    ),
  ];
}

function parts(view: View): Child {
  const rows = view.set.statistics.parts;
  if (rows.length === 0) return notice("The parts of this data set could not be read.");
  return panel(
    "Parts",
    "D_KL (natural log) tells how far the popularity of items is from uniform: 0 is " +
      "uniform. An unbiased or balanced test lies near 0.",
    table<PartStatistics>(
      "Parts of the data set",
      [
        { head: "Part", cell: (p) => p.name },
        { head: "Users", value: (p) => p.users, cell: (p) => count(p.users) },
        { head: "Items", value: (p) => p.items, cell: (p) => count(p.items) },
        { head: "Interactions", value: (p) => p.interactions, cell: (p) => count(p.interactions) },
        {
          head: "D_KL, items",
          explain: "Over all items",
          value: (p) => p.dkl,
          cell: (p) => fixed(p.dkl, 4),
        },
        {
          head: "D_KL, 50 groups",
          explain: "Over 50 groups of items by training popularity",
          value: (p) => p.dkl_grouped,
          cell: (p) => fixed(p.dkl_grouped, 4),
        },
      ],
      rows,
    ),
  );
}

function ranks(view: View): HTMLElement {
  const { items, users } = view.set.popularity;
  const sign = (label: string, slot: number) => ({
    label,
    color: thingColor(slot),
    symbol: methodSymbol(slot),
  });
  const positive = (points: [number, number][]) => points.filter((p) => p[0] > 0 && p[1] > 0);
  const series = [
    { method: sign("items", 0), points: positive(items) },
    { method: sign("users", 3), points: positive(users) },
  ].filter((s) => s.points.length);
  if (series.length === 0) return panel("Popularity", "There are no counts to draw.");
  return panel(
    "Popularity",
    "Training interactions by rank, both axes logarithmic: the longer and straighter " +
      "the line, the longer the tail.",
    fitted(
      "Training interactions by rank",
      (width) =>
        lines(series, {
          width,
          x: { type: "log", label: "rank", ticks: Math.floor(width / 110), tickFormat: "~s" },
          y: { type: "log", label: "interactions", ticks: 4, tickFormat: "~s" },
        }),
      () => seriesRows(series, "rank", "interactions"),
    ),
    legend(series.map((s) => s.method)),
  );
}

function deciles(view: View): HTMLElement {
  const { decile_share: shares, gini } = view.set.popularity;
  if (shares.length === 0) return panel("Concentration", "There are no counts to draw.");
  const method = { label: "consumption", color: thingColor(0), symbol: methodSymbol(0) };
  return panel(
    "Concentration",
    "Share of training interactions by tenth of the items, most popular first. The " +
      `first tenth has ${percent(shares[0])}; Gini ${fixed(gini, 3)}.`,
    fitted(
      "Share of interactions by decile of items",
      (width) =>
        lines([{ method, points: shares.map((s, i) => [i + 1, s]) }], {
          width,
          x: { label: "decile of items", domain: [1, 10], ticks: 10, tickFormat: "d" },
          y: { label: "share", tickFormat: "%", zero: true },
        }),
      () => shares.map((share, i) => ({ decile: i + 1, share })),
    ),
  );
}

function manifest(view: View): Child {
  if (!view.set.manifest)
    return h(
      "p",
      { class: "small" },
      "This data set has no split manifest: its parts were given as they are, or cut " +
        "when it was read.",
    );
  return h(
    "details",
    {},
    h("summary", {}, "Split manifest"),
    h("pre", {}, h("code", {}, JSON.stringify(view.set.manifest, null, 2))),
  );
}

function sampling(view: View): Child {
  const { sampling } = view.report;
  if (sampling.length === 0) return null;
  return h(
    "details",
    {},
    h("summary", {}, `What was sampled: ${plural(sampling.length, "thing")}`),
    h(
      "p",
      { class: "small" },
      "To keep this page small, not everything is drawn. Figures and correlations are " +
        "always over all.",
    ),
    h(
      "ul",
      { class: "small" },
      sampling.map((s) => h("li", {}, `${s.what}: ${count(s.shown)} of ${count(s.of)}. ${s.how}`)),
    ),
  );
}
