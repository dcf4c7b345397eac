// In: popularity and a figure of many items or users. Out: a cloud, with its trend if any.
import * as Plot from "@observablehq/plot";
import { count, short } from "../format";
import { chart, roomy, type PlotRow } from "./frame";
import type { XY } from "./lines";

export interface Cloud {
  points: XY[];
  means?: XY[]; // one for each popularity value
  trend: XY[];
  color: string;
  xLabel: string;
  yLabel: string;
  width: number;
}

export const pointRows = (points: [number, number][], x: string, y: string): PlotRow[] =>
  points.map((p) => ({ [x]: p[0], [y]: p[1] }));

export function scatter({
  points,
  means,
  trend,
  color,
  xLabel,
  yLabel,
  width,
}: Cloud): SVGSVGElement {
  return chart({
    width,
    height: Math.min(320, Math.max(230, width * 0.6)),
    marginLeft: 54,
    marginTop: 30,
    marginBottom: 40,
    x: {
      type: "log",
      label: xLabel,
      labelAnchor: "center",
      ticks: Math.max(2, Math.floor(width / 110)),
      tickFormat: "~s",
      ...roomy(
        points.map((p) => p[0]),
        true,
      ),
    },
    y: { label: yLabel, grid: true, ticks: 5, nice: true, ...roomy(points.map((p) => p[1])) },
    marks: [
      Plot.dot(
        points.filter((p) => p[0] > 0),
        { fill: color, fillOpacity: points.length > 500 ? 0.25 : 0.45, r: 2.4 },
      ),
      Plot.dot(
        (means ?? []).filter((p) => p[0] > 0),
        { stroke: color, strokeWidth: 1.5, r: 3.4 },
      ),
      Plot.line(
        trend.filter((p) => p[0] > 0),
        { stroke: "var(--paper)", strokeWidth: 5 },
      ),
      Plot.line(
        trend.filter((p) => p[0] > 0),
        { stroke: "currentColor", strokeWidth: 2 },
      ),
      Plot.tip(
        points.filter((p) => p[0] > 0),
        Plot.pointer({
          x: (p: XY) => p[0],
          y: (p: XY) => p[1],
          title: (p: XY) => `${xLabel}: ${count(p[0])}\n${yLabel}: ${short(p[1])}`,
        }),
      ),
    ],
  });
}
