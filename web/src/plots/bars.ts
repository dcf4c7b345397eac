// In: one number for each method in each group. Out: bars, a block of them for each group.
import * as Plot from "@observablehq/plot";
import { shorten } from "../dom";
import type { Shown } from "../view";
import { chart, figureAxis, namedRows, type PlotRow } from "./frame";

export interface Bar {
  group: string;
  method: Shown;
  value: number;
  was?: number; // a mark to compare with
}

/** What the bars show, as rows. */
export const barRows = (rows: Bar[], label: string): PlotRow[] =>
  rows.map((r) => ({ group: r.group, method: r.method.label, [label]: r.value }));

export interface BarOptions {
  label: string;
  text: (value: number) => string;
  width: number;
  tick?: string; // format of the axis, as that of the labels
  reach?: number; // the largest value there can be, so that the axis stands still
}

export function bars(
  rows: Bar[],
  methods: Shown[],
  { label, text, width, reach: most, tick }: BarOptions,
): SVGSVGElement {
  const named = namedRows(
    methods.map((m) => m.label),
    width,
  );
  const groups = [...new Set(rows.map((r) => r.group))];
  const y = (r: Bar) => methods.indexOf(r.method);
  const reach = most ?? Math.max(1e-12, ...rows.map((r) => Math.abs(r.value)));
  const signed = rows.some((r) => r.value < 0);
  // Numbers at the ends of the bars need about 62 pixels, at both sides where bars go both ways.
  const inside = Math.max(200, width - named.marginLeft - 12);
  const room = 1 / (1 - ((signed ? 2 : 1) * 62) / inside);
  const [block, gap] = [22 * methods.length + 6, 26]; // a group, and its name above
  return chart({
    width,
    height: 64 + groups.length * (block + gap),
    marginLeft: named.marginLeft,
    marginRight: 12,
    marginTop: 26,
    marginBottom: 38,
    x: {
      ...figureAxis(label, width),
      tickFormat: tick,
      domain: [signed ? -room * reach : 0, room * reach],
    },
    y: { ...named.y, padding: 0.18 },
    fy: { domain: groups, axis: null, paddingInner: gap / (block + gap), paddingOuter: 0 },
    marks: [
      Plot.text(groups, {
        fy: (g) => g,
        text: (g) => g,
        frameAnchor: "top-left",
        dy: -16,
        fontWeight: 600,
        fill: "currentColor",
      }),
      Plot.barX(rows, { fy: "group", y, x: "value", fill: (r: Bar) => r.method.color }),
      Plot.tickX(
        rows.filter((r) => r.was !== undefined),
        { fy: "group", y, x: "was", stroke: "var(--ink)", strokeWidth: 2 },
      ),
      Plot.ruleX([0], { stroke: "currentColor" }),
      Plot.text(
        rows.filter((r) => r.value >= 0),
        {
          fy: "group",
          y,
          x: (r: Bar) => Math.max(r.value, r.was ?? 0), // beside the mark, not on it
          text: (r: Bar) => text(r.value),
          dx: 5,
          textAnchor: "start",
        },
      ),
      Plot.text(
        rows.filter((r) => r.value < 0),
        { fy: "group", y, x: "value", text: (r: Bar) => text(r.value), dx: -5, textAnchor: "end" },
      ),
      Plot.tip(
        rows,
        Plot.pointerY({
          fy: "group",
          y,
          x: "value",
          title: (r: Bar) =>
            `${shorten(r.method.label, 50)}, ${r.group}\n${label}: ${text(r.value)}` +
            (r.was === undefined ? "" : `\nas logged: ${text(r.was)}`),
        }),
      ),
    ],
  });
}
