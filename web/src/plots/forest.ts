// In: differences to a baseline with intervals. Out: a forest plot, filled where the difference is beyond chance.
import * as Plot from "@observablehq/plot";
import { fixed } from "../format";
import type { Shown } from "../view";
import { shorten } from "../dom";
import { chart, figureAxis, namedRows } from "./frame";

export interface Difference {
  method: Shown;
  difference: number;
  low: number;
  high: number;
  p: number; // by Holm
}

/** As the program writes it in its sentences. */
export const pText = (p: number): string =>
  p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
/** With its sign, unless it rounds to zero. */
const plus = (text: string): string => (/^0\.0*$|^−/.test(text) ? text : `+${text}`);
export const kBeyondChance = 0.05;

export function forest(rows: Difference[], label: string, width: number): SVGSVGElement {
  const low = Math.min(0, ...rows.map((r) => r.low));
  const high = Math.max(0, ...rows.map((r) => r.high));
  const room = 0.04 * (high - low) || 1e-9;
  const numbered = rows.map((row, i) => ({ ...row, i }));
  // Room for the figures at the right; on a phone p alone, the axis says the rest.
  const narrow = width < 480;
  const gap = narrow ? 76 : 190;
  return chart({
    width,
    height: 56 + 28 * rows.length,
    ...namedRows(
      rows.map((r) => r.method.label),
      width,
    ),
    marginRight: gap,
    marginBottom: 38,
    x: { ...figureAxis(label, width - gap), domain: [low - room, high + room] },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor" }),
      Plot.ruleY(numbered, {
        y: "i",
        x1: "low",
        x2: "high",
        stroke: (r) => r.method.color || "var(--soft)",
        strokeWidth: 2.5,
      }),
      ...numbered.map((row) =>
        Plot.dot([row], {
          x: "difference",
          y: "i",
          symbol: row.method.symbol.name,
          r: 5.5,
          stroke: row.method.color || "var(--soft)",
          strokeWidth: 2,
          fill: row.p < kBeyondChance ? row.method.color || "var(--soft)" : "var(--paper)",
        }),
      ),
      Plot.text(numbered, {
        y: "i",
        frameAnchor: "right",
        text: (r) => (narrow ? pText(r.p) : `${plus(fixed(r.difference, 4))}  ${pText(r.p)}`),
        dx: 8,
        textAnchor: "start",
        fill: "currentColor",
      }),
      Plot.tip(
        numbered,
        Plot.pointer({
          x: "difference",
          y: "i",
          title: (r: (typeof numbered)[number]) =>
            `${shorten(r.method.label, 50)}\n${fixed(r.difference, 4)} ` +
            `(95 %: ${fixed(r.low, 4)} … ${fixed(r.high, 4)})\n${pText(r.p)} by Holm`,
        }),
      ),
    ],
  });
}
