// In: a figure for each of the nine user x item groups. Out: a heat map that prints its numbers.
import * as Plot from "@observablehq/plot";
import type { NineGroups } from "../data";
import { count, fixed, isNumber } from "../format";
import { kGroupNames } from "../palette";
import { chart } from "./frame";

interface Cell {
  user: string;
  item: string;
  mean: number | null;
  sd: number | null;
  pairs: number;
}

function cells(nine: NineGroups): Cell[] {
  return kGroupNames.flatMap((user, u) =>
    kGroupNames.map((item, i) => ({
      user,
      item,
      mean: nine.mean[u]?.[i] ?? null,
      sd: nine.sd[u]?.[i] ?? null,
      pairs: nine.count[u]?.[i] ?? 0,
    })),
  );
}

export function heat(nine: NineGroups, width: number): SVGSVGElement {
  const all = cells(nine);
  const means = all.map((c) => c.mean).filter(isNumber);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  // Ink on a dark cell must be light: the lightness of the cell decides, not the theme. At 0.71 of
  // the range black and white stand out alike, 4.6 to 1.
  const deep = (c: Cell) => isNumber(c.mean) && (c.mean - low) / (high - low || 1) > 0.71;
  const ink = (c: Cell) => (c.mean === null ? "var(--soft)" : deep(c) ? "#fff" : "#000");
  const at = { x: "item", y: "user" };
  return chart({
    width,
    height: Math.min(300, Math.max(230, width * 0.55)),
    marginLeft: 76,
    marginTop: 12,
    marginBottom: 42,
    padding: 0.04,
    x: { domain: [...kGroupNames], label: "items", labelAnchor: "center", tickSize: 0 },
    y: {
      domain: [...kGroupNames],
      label: null,
      tickSize: 0,
      tickFormat: (g: string) => `${g} users`,
    },
    color: {
      type: "linear",
      domain: [low, high === low ? low + 1 : high],
      range: ["#d9ecf4", "#0b4f6c"],
    },
    marks: [
      Plot.cell(all, { ...at, fill: (c: Cell) => c.mean ?? NaN, stroke: "var(--rule)", rx: 4 }),
      Plot.text(all, {
        ...at,
        dy: -9,
        text: (c: Cell) => (c.mean === null ? "no pairs" : fixed(c.mean, 3)),
        fill: ink,
        fontSize: 15,
        fontWeight: 600,
      }),
      Plot.text(
        all.filter((c) => c.mean !== null),
        {
          ...at,
          dy: 10,
          fill: ink,
          text: (c: Cell) =>
            `± ${fixed(c.sd, 3)}${width > 420 ? ` · ${count(c.pairs)} pairs` : ""}`,
        },
      ),
      Plot.tip(
        all,
        Plot.pointer({
          ...at,
          title: (c: Cell) =>
            `${c.user} users, ${c.item} items\nmean ${fixed(c.mean, 4)}, sd ${fixed(c.sd, 4)}\n` +
            `${count(c.pairs)} training pairs`,
        }),
      ),
    ],
  });
}
