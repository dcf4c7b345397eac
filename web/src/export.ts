// In: a figure of the page. Out: the same as SVG, PNG, CSV or LaTeX, to be saved.
import { rowsOf, type PlotRow } from "./plots/frame";
import { tableRows } from "./table";

const kSvg = "http://www.w3.org/2000/svg";
const kPaints = ["fill", "stroke", "color"] as const;
const kScale = 2; // pixels of a PNG for one of the page
const kBorder = 12;

/** Colours as they are now: a picture elsewhere knows none of the page's variables. */
function painted(original: SVGElement): SVGElement {
  const copy = original.cloneNode(true) as SVGElement;
  const pairs: [Element, Element][] = [[original, copy]];
  const [from, to] = [original.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, i) => pairs.push([element, to[i]!]));
  for (const [source, target] of pairs) {
    const told = `${source.getAttribute("style")} ${kPaints.map((p) => source.getAttribute(p))}`;
    if (source !== original && !/var\(|currentColor/.test(told)) continue;
    const style = getComputedStyle(source);
    for (const paint of kPaints)
      if (source === original || source.hasAttribute(paint) || told.includes(`${paint}:`)) {
        if (source === original && paint !== "color" && !source.hasAttribute(paint)) continue;
        target.setAttribute(paint, style[paint]);
        (target as SVGElement).style.removeProperty(paint);
      }
  }
  copy.querySelectorAll("[aria-label=tip]").forEach((tip) => tip.remove());
  return copy;
}

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Title, names, plots and legends of a figure as they stand on the page, without what it says. */
export function svgOf(figure: HTMLElement): SVGSVGElement {
  const frame = figure.getBoundingClientRect();
  const style = getComputedStyle(figure);
  const sheet = element("svg", { xmlns: kSvg }) as SVGSVGElement;
  const body = element("g", {});
  let [top, bottom] = [Infinity, 0];
  const place = (item: Element) => {
    const box = item.getBoundingClientRect();
    top = Math.min(top, box.top - frame.top);
    bottom = Math.max(bottom, box.bottom - frame.top);
    return {
      x: box.left - frame.left,
      y: box.top - frame.top,
      width: box.width,
      height: box.height,
    };
  };
  const write = (item: HTMLElement) => {
    const own = getComputedStyle(item);
    const range = document.createRange();
    range.selectNodeContents(item);
    const box = [...range.getClientRects()].at(-1) ?? item.getBoundingClientRect();
    const text = element("text", {
      x: (item.matches("li, h4") ? box.left : item.getBoundingClientRect().left) - frame.left,
      y: box.top - frame.top + 0.75 * box.height,
      fill: own.color,
      "font-size": own.fontSize,
      "font-weight": own.fontWeight,
      "font-family": own.fontFamily,
    });
    text.textContent = item.textContent;
    place(item);
    body.append(text);
  };
  const title = figure.querySelector("h3");
  let under = 0;
  if (title) {
    write(title);
    sheet.append(body.lastChild!);
    [under, top] = [bottom + kBorder, Infinity];
  }
  figure.querySelectorAll<HTMLElement>("h4, .legend li").forEach(write);
  for (const svg of figure.querySelectorAll<SVGSVGElement>(
    ".plot > svg, .legend .sign, h4 .sign",
  )) {
    const copy = painted(svg);
    for (const [key, value] of Object.entries(place(svg))) copy.setAttribute(key, String(value));
    copy.setAttribute("font-family", style.fontFamily);
    body.append(copy);
  }
  for (const canvas of figure.querySelectorAll("canvas")) {
    const picture = element("image", { ...place(canvas), href: canvas.toDataURL("image/png") });
    body.append(picture);
  }
  const up = Math.max(0, top - under); // what the caption and the choices take on the page
  body.setAttribute("transform", `translate(0 ${-up})`);
  sheet.append(body);
  const whole = {
    width: Math.ceil(frame.width + 2 * kBorder),
    height: Math.ceil(bottom - up + 2 * kBorder),
  };
  const corner = { x: -kBorder, y: -kBorder };
  const fill = getComputedStyle(document.body).backgroundColor;
  sheet.prepend(element("rect", { ...corner, ...whole, fill }));
  const viewBox = [corner.x, corner.y, whole.width, whole.height].join(" ");
  for (const [key, value] of Object.entries({ ...whole, viewBox }))
    sheet.setAttribute(key, String(value));
  return sheet;
}

const svgText = (figure: HTMLElement): string =>
  new XMLSerializer().serializeToString(svgOf(figure));

async function pngOf(figure: HTMLElement): Promise<Blob> {
  const svg = svgOf(figure);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = kScale * Number(svg.getAttribute("width"));
  canvas.height = kScale * Number(svg.getAttribute("height"));
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
  );
}

/** The numbers behind a figure: of its table, or of all its plots. */
export function dataOf(figure: HTMLElement): PlotRow[] {
  const own = figure.querySelector(".scroll");
  if (own) return tableRows(own);
  const plots = [...figure.querySelectorAll(".plot")];
  return plots.flatMap((plot) =>
    rowsOf(plot).map((row) =>
      plots.length > 1 ? { plot: plot.getAttribute("aria-label"), ...row } : row,
    ),
  );
}

export function csvOf(rows: PlotRow[]): string {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // A spreadsheet would run a text that begins like a formula; ids come from strangers' files.
  const text = (x: string) => (/^[=+\-@\t\r]/.test(x) ? `'${x}` : x);
  const cell = (x: string | number | null | undefined) =>
    typeof x === "string" ? `"${text(x).replaceAll('"', '""')}"` : (x ?? "");
  const line = (cells: (string | number | null | undefined)[]) => cells.map(cell).join(",");
  return (
    [line(heads), ...rows.map((row) => line(heads.map((head) => row[head])))].join("\n") + "\n"
  );
}

const kSpecial: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "±": "$\\pm$",
  "−": "$-$",
  "×": "$\\times$",
  "–": "--",
};
const latexText = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\\~^±−×–&%#_{}$]/g, (c) => kSpecial[c] ?? `\\${c}`);

/** A table as it is shown, for booktabs; the best of a column in bold. */
export function latexOf(table: HTMLTableElement): string {
  const cells = (row: HTMLTableRowElement) =>
    [...row.cells].map((cell) => {
      const text = latexText(cell.textContent ?? "");
      return cell.classList.contains("best") ? `\\textbf{${text}}` : text;
    });
  const rows = [...table.rows];
  const columns = [...(rows[0]?.cells ?? [])].map((c) =>
    c.classList.contains("number") ? "r" : "l",
  );
  const line = (row: HTMLTableRowElement) => `  ${cells(row).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${columns.join("")}}`,
    "  \\toprule",
    ...rows.slice(0, 1).map(line),
    "  \\midrule",
    ...rows.slice(1).map(line),
    "  \\bottomrule",
    "\\end{tabular}\n",
  ].join("\n");
}

function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(content);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export interface Export {
  text: string;
  run(figure: HTMLElement): void | Promise<void>;
}

const plain = (text: string, type: string): Blob => new Blob([text], { type });

/** What can be saved of a figure: pictures of plots, numbers of all, LaTeX of tables. */
export function exportsOf(figure: HTMLElement): Export[] {
  const all: Export[] = [];
  const table = figure.querySelector("table");
  if (figure.querySelector(".plot, canvas"))
    all.push(
      { text: "SVG", run: (f) => save(`${f.id}.svg`, plain(svgText(f), "image/svg+xml")) },
      { text: "PNG", run: async (f) => save(`${f.id}.png`, await pngOf(f)) },
    );
  if (table || figure.querySelector(".plot"))
    all.push({ text: "CSV", run: (f) => save(`${f.id}.csv`, plain(csvOf(dataOf(f)), "text/csv")) });
  if (table)
    all.push({
      text: "LaTeX",
      run: (f) => save(`${f.id}.tex`, plain(latexOf(table), "text/x-tex")),
    });
  return all;
}
