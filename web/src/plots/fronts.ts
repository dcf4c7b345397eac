// In: for each method its figures under ever stronger correction. Out: one curve a method, with the
// dial's place on it.
import * as Plot from "@observablehq/plot";
import type { Shown } from "../view";
import { shorten } from "../dom";
import { chart, roomy } from "./frame";

export interface FrontLine {
  method: Shown;
  points: { debias: number; x: number; y: number }[]; // by ascending strength
  at: number; // the dial's place in `points`
  own: number; // the model's own strength; -1 where unknown
}

export interface FrontOptions {
  xLabel: string;
  yLabel: string;
  width: number;
}

export function fronts(lines: FrontLine[], { xLabel, yLabel, width }: FrontOptions): SVGSVGElement {
  const all = lines.flatMap((line) => line.points.map((p) => ({ ...p, method: line.method })));
  return chart({
    width,
    height: Math.min(440, Math.max(300, width * 0.66)),
    marginLeft: 58,
    marginTop: 30,
    marginBottom: 42,
    marginRight: 24,
    inset: 14,
    x: {
      ...roomy(all.map((p) => p.x)),
      label: xLabel,
      grid: true,
      nice: true,
      labelAnchor: "center",
      ticks: Math.max(2, Math.floor(width / 120)),
    },
    y: { ...roomy(all.map((p) => p.y)), label: yLabel, grid: true, nice: true, ticks: 5 },
    marks: [
      ...lines.flatMap(({ method, points, at, own }) => [
        Plot.line(points, { x: "x", y: "y", stroke: method.color, strokeWidth: 1.8 }),
        Plot.dot(points, { x: "x", y: "y", fill: method.color, r: 2.2 }),
        Plot.dot(points.slice(0, 1), {
          x: "x",
          y: "y",
          symbol: method.symbol.name,
          fill: method.color,
          r: 4,
        }),
        Plot.dot(own < 0 ? [] : [points[own]!], {
          x: "x",
          y: "y",
          stroke: method.color,
          strokeWidth: 1.5,
          r: 11,
        }),
        Plot.dot([points[at]!], {
          x: "x",
          y: "y",
          symbol: method.symbol.name,
          fill: method.color,
          stroke: "var(--ink)",
          r: 8,
        }),
      ]),
      Plot.tip(
        all,
        Plot.pointer({
          x: "x",
          y: "y",
          title: (p: (typeof all)[number]) =>
            `${shorten(p.method.label, 50)}, G ${p.debias}\n${xLabel}: ${p.x.toFixed(4)}\n` +
            `${yLabel}: ${p.y.toFixed(4)}`,
        }),
      ),
    ],
  });
}
