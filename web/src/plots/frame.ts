// In: a function that draws a plot for a width. Out: an element that draws it as wide as itself.
import * as Plot from "@observablehq/plot";
import { h, idText, notice, shorten, shortenAll, type Child } from "../dom";
import type { MethodSymbol } from "../palette";

const kSvg = "http://www.w3.org/2000/svg";

export type Drawing = (width: number) => SVGSVGElement | HTMLElement;

/** What a plot shows, as rows of a table: for whoever wants the numbers. */
export type PlotRow = Record<string, string | number | null>;

interface Drawn {
  draw: Drawing;
  rows: () => PlotRow[];
  width: number;
}

const drawings = new WeakMap<Element, Drawn>();

/** One for all plots, and its own widths: to ask an element would lay out the page for each plot. */
const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const drawing = drawings.get(target);
    const width = Math.floor(contentRect.width);
    if (!drawing || width === 0 || width === drawing.width) continue;
    drawing.width = width;
    target.replaceChildren(drawOrTell(drawing.draw, width));
  }
});

const kPaper = 690; // pixels across A4 less its borders

/** Plots as wide as a screen would be shrunk to paper, letters and all: they are drawn for it. */
function drawAll(width: (screen: number) => number): void {
  for (const host of document.querySelectorAll(".plot")) {
    const drawing = drawings.get(host);
    if (drawing && drawing.width > kPaper)
      host.replaceChildren(drawOrTell(drawing.draw, width(drawing.width)));
  }
}
addEventListener("beforeprint", () => drawAll(() => kPaper));
addEventListener("afterprint", () => drawAll((screen) => screen));

/** Draws when the element gets its width, and again whenever that changes. */
export function fitted(label: string, draw: Drawing, rows: () => PlotRow[]): HTMLElement {
  const host = h("div", { class: "plot", role: "img", "aria-label": label });
  drawings.set(host, { draw, rows, width: 0 });
  watcher.observe(host);
  return host;
}

/** Draws a fitted plot again: what it shows has changed. */
export function refit(host: Element): void {
  const drawing = drawings.get(host);
  if (drawing && drawing.width > 0) host.replaceChildren(drawOrTell(drawing.draw, drawing.width));
}

export const rowsOf = (host: Element): PlotRow[] => drawings.get(host)?.rows() ?? [];

function drawOrTell(draw: Drawing, width: number): Element {
  try {
    return draw(width);
  } catch (error) {
    return notice(`This plot could not be drawn: ${String(error)}`);
  }
}

export function chart(options: Plot.PlotOptions): SVGSVGElement {
  const svg = Plot.plot({
    ...options,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
  }) as SVGSVGElement;
  // The plot's host says what it is; the library's labels on groups are not allowed there.
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

/** A plot with its title and what the reader has to know to read it. */
export function panel(title: string, caption: Child, ...content: Child[]): HTMLElement {
  return namedPanel(null, title, caption, ...content);
}

/** The same under a name of its own in links, where a title alone does not tell figures apart. */
export function namedPanel(
  name: string | null,
  title: string,
  caption: Child,
  ...content: Child[]
): HTMLElement {
  return h(
    "figure",
    { class: "panel", "data-name": name },
    h("figcaption", {}, h("h3", {}, title), caption ? h("p", {}, caption) : null),
    ...content,
  );
}

/** Rows with their names at the left: at most a third of the width for them, cut to fit. */
export function namedRows(
  names: string[],
  width: number,
): { marginLeft: number; y: Plot.ScaleOptions } {
  const letters = Math.max(4, Math.floor(width / 3 / 7.2));
  const cut = shortenAll(names, letters);
  const longest = Math.max(4, ...names.map((name) => Math.min(letters, Array.from(name).length)));
  return {
    marginLeft: Math.round(longest * 7.2) + 14,
    y: {
      type: "band",
      domain: names.map((_, i) => i),
      // Two names may be equal once cut, so the axis uses numbers and prints the name.
      tickFormat: (i: number) => cut[i] ?? "",
      label: null,
      tickSize: 0,
    },
  };
}

/** A number's axis, with as many ticks as the width has room for. */
export function figureAxis(label: string, width: number): Plot.ScaleOptions {
  return { label, grid: true, ticks: Math.max(2, Math.floor(width / 110)) };
}

/** Bounds for figures that are all equal, where a plot would find no scale; else nothing. */
export function roomy(values: number[], log = false): { domain?: [number, number] } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0 || low !== high) return {};
  if (log) return { domain: [low / 2, low * 2] };
  return { domain: low === 0 ? [0, 1] : low > 0 ? [0, 2 * low] : [2 * low, 0] };
}

export interface Key {
  label: string;
  color: string;
  symbol: MethodSymbol;
}

/** Says what colours and symbols mean. */
export function legend(keys: Key[]): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    keys.map((key) => h("li", {}, sign(key), shorten(key.label, 40))),
  );
}

/** The colour and symbol of a method, as it is in the plots. */
export function sign({ color, symbol }: Omit<Key, "label">): SVGSVGElement {
  const svg = document.createElementNS(kSvg, "svg");
  const path = document.createElementNS(kSvg, "path");
  svg.setAttribute("class", "sign");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", symbol.path);
  path.style.fill = color || "var(--rule)";
  svg.append(path);
  return svg;
}

/** A method's sign and name, over what belongs to it alone. */
export function methodHead(method: Key): HTMLElement {
  return h("h4", { class: "method" }, sign(method), idText(method.label));
}
