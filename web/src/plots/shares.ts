// In: shares of slices of the catalogue by name. Out: one bar of 100 % for each name.
import * as Plot from "@observablehq/plot";
import { shorten } from "../dom";
import { chart, namedRows, type PlotRow } from "./frame";

export interface ShareRow {
  name: string;
  shares: number[];
}

export interface Part {
  label: string;
  color: string;
  ink: string; // of text on it
}

export function shares(rows: ShareRow[], parts: readonly Part[], width: number): SVGSVGElement {
  const named = namedRows(
    rows.map((r) => r.name),
    width,
  );
  const pieces = rows.flatMap((row, y) =>
    row.shares.map((share, g) => {
      const x1 = row.shares.slice(0, g).reduce((a, b) => a + b, 0);
      return { y, share, part: parts[g]!, x1, x2: x1 + share };
    }),
  );
  const at = { y: "y", x: (p: (typeof pieces)[number]) => (p.x1 + p.x2) / 2 };
  return chart({
    width,
    height: 40 + 34 * rows.length,
    marginLeft: named.marginLeft,
    marginTop: 6,
    marginRight: 22,
    marginBottom: 34,
    x: { domain: [0, 1], tickFormat: "%", label: null, ticks: 5 },
    y: { ...named.y, padding: 0.22 },
    marks: [
      Plot.barX(pieces, {
        y: "y",
        x1: "x1",
        x2: "x2",
        fill: (p) => p.part.color,
        insetRight: 1,
      }),
      Plot.text(
        pieces.filter((p) => p.x2 - p.x1 > 60 / width),
        {
          ...at,
          text: (p) => `${(100 * p.share).toFixed(0)} %`,
          fill: (p) => p.part.ink,
          fontWeight: 600,
        },
      ),
      Plot.tip(
        pieces,
        Plot.pointer({
          ...at,
          title: (p: (typeof pieces)[number]) =>
            `${shorten(rows[p.y]?.name ?? "", 50)}\n${p.part.label}: ${(100 * p.share).toFixed(1)} %`,
        }),
      ),
    ],
  });
}

export const sliceRows = (rows: ShareRow[]): PlotRow[] =>
  rows.map((r) => ({
    name: r.name,
    top_1_percent: r.shares[0] ?? null,
    next_4_percent: r.shares[1] ?? null,
    next_15_percent: r.shares[2] ?? null,
    other_80_percent: r.shares[3] ?? null,
  }));
