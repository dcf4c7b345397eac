// In: shares by bin for several kinds. Out: histograms over each other, means as vertical lines.
import * as Plot from "@observablehq/plot";
import { isNumber, short } from "../format";
import { chart, type PlotRow } from "./frame";

export interface Layer {
  color: string;
  shares: number[];
  mean: number | null;
  name?: string;
}

export interface HistogramOptions {
  bin: number;
  end: number;
  label: string;
  top?: number; // the same for plots that are compared
  width: number;
  height?: number;
  ticks?: number[];
}

/** What the layers show, as rows: the start of a bin and its share in each. */
export const layerRows = (layers: Layer[], names: string[], bin: number): PlotRow[] =>
  (layers[0]?.shares ?? []).map((_, i) => ({
    from: Number((i * bin).toPrecision(6)),
    ...Object.fromEntries(layers.map((l, n) => [names[n] ?? `share ${n}`, l.shares[i] ?? null])),
  }));

export function histogram(layers: Layer[], options: HistogramOptions): SVGSVGElement {
  const { bin, end, label, top, width } = options;
  return chart({
    width,
    height: options.height ?? 150,
    marginLeft: 36,
    marginBottom: 36,
    marginTop: 8,
    marginRight: 10,
    x: { domain: [0, end], label, labelAnchor: "center", ticks: options.ticks },
    y: { label: null, tickFormat: "%", ticks: 3, domain: [0, top ?? highest(layers)] },
    marks: [
      ...layers.flatMap(({ color, shares, mean }) => [
        Plot.rectY(
          shares.map((y, i) => ({ y, x1: i * bin, x2: Math.min(end, (i + 1) * bin) })),
          { x1: "x1", x2: "x2", y: "y", fill: color, fillOpacity: 0.45 },
        ),
        Plot.ruleX(isNumber(mean) ? [mean] : [], {
          stroke: color,
          strokeWidth: 2,
          strokeDasharray: "4 3",
        }),
      ]),
      Plot.ruleY([0], { stroke: "var(--soft)" }),
      Plot.tip(
        layers.flatMap((l) => l.shares.map((share, i) => ({ share, i, name: l.name }))),
        Plot.pointerX({
          x: (d) => Math.min(end, (d.i + 0.5) * bin),
          y: "share",
          title: (d) =>
            `${d.name ? `${d.name}: ` : ""}${(100 * d.share).toFixed(1)} % between ` +
            `${short(d.i * bin)} and ${short((d.i + 1) * bin)}`,
        }),
      ),
    ],
  });
}

export const highest = (layers: Layer[]): number =>
  Math.max(1e-9, ...layers.flatMap((l) => l.shares));
