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

/** Means over bins of equal width in log x, where points are: the shape of a cloud as a line. */
export function trendOf(points: XY[], bins = 8): XY[] {
  const known = points.filter((p) => p[0] > 0);
  const logs = known.map((p) => Math.log(p[0]));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  if (!(high > low)) return [];
  const cells = Array.from({ length: bins }, () => ({ n: 0, x: 0, y: 0 }));
  known.forEach((p, i) => {
    const at = Math.min(bins - 1, Math.floor((bins * (logs[i]! - low)) / (high - low)));
    const cell = cells[at]!;
    ++cell.n;
    cell.x += logs[i]!;
    cell.y += p[1];
  });
  return cells.filter((c) => c.n > 0).map((c) => [Math.exp(c.x / c.n), c.y / c.n]);
}

/** Half the standard deviation of y: a line that moves less than that says nothing. */
export function noiseOf(points: XY[]): number {
  const mean = points.reduce((a, p) => a + p[1], 0) / Math.max(1, points.length);
  const sum = points.reduce((a, p) => a + (p[1] - mean) ** 2, 0);
  return 0.5 * Math.sqrt(sum / Math.max(1, points.length - 1));
}

/**
 * Whether a curve goes up and down by more than a quarter of its range, and more than noise: no r
 * describes that.
 */
export function turns(trend: XY[], noise = 0): boolean {
  const ys = trend.map((p) => p[1]);
  const range = Math.max(...ys) - Math.min(...ys);
  let [rise, fall, low, high] = [0, 0, Infinity, -Infinity];
  for (const y of ys) {
    low = Math.min(low, y);
    high = Math.max(high, y);
    rise = Math.max(rise, y - low);
    fall = Math.max(fall, high - y);
  }
  return ys.length > 3 && Math.min(rise, fall) > Math.max(0.25 * range, noise);
}

export const kTurns = " The line turns: one r cannot sum it up.";

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
