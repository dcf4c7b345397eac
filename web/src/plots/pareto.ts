// In: every method's accuracy and exposure figure. Out: both against each other, with the front.
import * as Plot from "@observablehq/plot";
import type { Shown } from "../view";
import { shorten } from "../dom";
import { chart, roomy } from "./frame";

export interface Pair {
  method: Shown;
  x: number;
  y: number;
  shown: boolean;
}

/** Pairs that no other pair beats in both; `sign` is -1 where a small x is good. */
export function front(pairs: Pair[], sign: 1 | -1): Pair[] {
  const byX = [...pairs].sort((a, b) => sign * (b.x - a.x) || b.y - a.y);
  let best = -Infinity;
  return byX.filter((p) => {
    if (p.y <= best) return false;
    best = p.y;
    return true;
  });
}

export interface ParetoOptions {
  xLabel: string;
  yLabel: string;
  sign: 1 | -1;
  width: number;
}

export function pareto(
  pairs: Pair[],
  { xLabel, yLabel, sign, width }: ParetoOptions,
): SVGSVGElement {
  const shown = pairs.filter((p) => p.shown);
  return chart({
    width,
    height: Math.min(400, Math.max(280, width * 0.6)),
    marginLeft: 58,
    marginTop: 30,
    marginBottom: 42,
    marginRight: 30,
    inset: 22,
    x: {
      ...roomy(pairs.map((p) => p.x)),
      label: xLabel,
      reverse: sign < 0,
      grid: true,
      nice: true,
      labelAnchor: "center",
      ticks: Math.max(4, Math.floor(width / 120)),
    },
    y: { ...roomy(pairs.map((p) => p.y)), label: yLabel, grid: true, nice: true, ticks: 5 },
    marks: [
      Plot.line(front(pairs, sign), {
        x: "x",
        y: "y",
        stroke: "var(--soft)",
        strokeDasharray: "5 4",
      }),
      Plot.dot(
        pairs.filter((p) => !p.shown),
        { x: "x", y: "y", r: 2.5, fill: "var(--negative)", fillOpacity: 0.6 },
      ),
      ...shown.map((p) =>
        Plot.dot([p], { x: "x", y: "y", symbol: p.method.symbol.name, fill: p.method.color, r: 7 }),
      ),
      Plot.tip(
        pairs,
        Plot.pointer({
          x: "x",
          y: "y",
          title: (p: Pair) =>
            `${shorten(p.method.label, 60)}\n${xLabel}: ${p.x.toFixed(4)}\n${yLabel}: ` +
            `${p.y.toFixed(4)}`,
        }),
      ),
    ],
  });
}
