// In: one figure per method, with what is known of its spread. Out: dots with intervals.
import * as Plot from "@observablehq/plot";
import type { Shown } from "../view";
import { shorten } from "../dom";
import { metric } from "../format";
import { chart, figureAxis, namedRows, roomy } from "./frame";

export interface Interval {
  method: Shown;
  value: number;
  low: number | null;
  high: number | null;
}

export function intervals(rows: Interval[], label: string, width: number): SVGSVGElement {
  const y = (_: Interval, i: number) => i;
  const spread = rows
    .map((row, i) => ({ ...row, i }))
    .filter((r) => r.low !== null && r.high !== null);
  return chart({
    width,
    height: 52 + 30 * rows.length,
    ...namedRows(
      rows.map((r) => r.method.label),
      width,
    ),
    marginRight: 56,
    marginBottom: 38,
    x: {
      ...roomy(rows.flatMap((r) => [r.low ?? r.value, r.value, r.high ?? r.value])),
      ...figureAxis(label, width),
      nice: true,
    },
    marks: [
      Plot.ruleY(spread, {
        y: "i",
        x1: "low",
        x2: "high",
        stroke: (r) => r.method.color,
        strokeWidth: 2.5,
      }),
      ...rows.map((row, i) =>
        Plot.dot([row], {
          x: "value",
          y: () => i,
          symbol: row.method.symbol.name,
          fill: row.method.color,
          r: 5.5,
        }),
      ),
      Plot.text(rows, {
        x: (r: Interval) => r.high ?? r.value,
        y,
        text: (r: Interval) => metric(r.value),
        dx: 10,
        textAnchor: "start",
        fill: "currentColor",
      }),
      Plot.tip(
        rows,
        Plot.pointerY({
          x: "value",
          y,
          title: (r: Interval) =>
            `${shorten(r.method.label, 50)}\n${label}: ${metric(r.value)}` +
            (r.low === null ? "" : `\n${metric(r.low)} … ${metric(r.high)}`),
        }),
      ),
    ],
  });
}
