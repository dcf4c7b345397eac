// In: one series of points for each method. Out: lines that differ in colour and symbol.
import * as Plot from "@observablehq/plot";
import type { Shown } from "../view";
import { shorten } from "../dom";
import { short } from "../format";
import { chart, roomy, type PlotRow } from "./frame";

export type XY = [x: number, y: number];

export interface Series {
  method: Pick<Shown, "label" | "color" | "symbol">;
  points: XY[];
}

export interface LineOptions {
  width: number;
  height?: number;
  x: Plot.ScaleOptions;
  y: Plot.ScaleOptions;
  dots?: boolean; // places without an order: no line joins them
  under?: Plot.Markish[]; // reference lines and the like
  over?: Plot.Markish[];
}

const kSigns = 12; // symbols on a line

export function lines(series: Series[], options: LineOptions): SVGSVGElement {
  const { width } = options;
  const all = series.flatMap((s) => s.points.map((p) => ({ p, label: s.method.label })));
  return chart({
    width,
    height: options.height ?? Math.min(320, Math.max(230, width * 0.56)),
    marginLeft: 54,
    marginBottom: 40,
    marginTop: 30,
    marginRight: 18,
    x: {
      labelAnchor: "center",
      ticks: Math.max(3, Math.floor(width / 90)),
      ...roomy(
        all.map((d) => d.p[0]),
        options.x.type === "log",
      ),
      ...options.x,
    },
    y: {
      grid: true,
      ticks: 5,
      ...roomy(
        all.map((d) => d.p[1]),
        options.y.type === "log",
      ),
      ...options.y,
    },
    marks: [
      ...(options.under ?? []),
      ...series.flatMap(({ method, points }) => [
        ...(options.dots ? [] : [Plot.line(points, { stroke: method.color, strokeWidth: 1.8 })]),
        Plot.dot(thin(points), { symbol: method.symbol.name, fill: method.color, r: 4 }),
      ]),
      ...(options.over ?? []),
      Plot.tip(
        all,
        Plot.pointer({
          x: (d) => d.p[0],
          y: (d) => d.p[1],
          title: (d) =>
            `${shorten(d.label, 50)}\n${options.x.label ?? "x"}: ` +
            `${short(d.p[0])}\n${options.y.label ?? "y"}: ${short(d.p[1])}`,
        }),
      ),
    ],
  });
}

/** What the lines show, as rows. */
export function seriesRows(series: Series[], x: string, y: string): PlotRow[] {
  return series.flatMap((s) =>
    s.points.map((p) => ({ series: s.method.label, [x]: p[0], [y]: p[1] })),
  );
}

function thin(points: XY[]): XY[] {
  const step = Math.max(1, Math.ceil(points.length / kSigns)); // all of them up to kSigns
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}
