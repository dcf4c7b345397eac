// In: rows and columns. Out: a table whose heads sort it and whose best figures are marked.
import { h, type Child } from "./dom";
import { isNumber } from "./format";
import type { PlotRow } from "./plots/frame";

export interface Column<T> {
  head: string;
  explain?: string; // shown when the pointer rests on the head
  cell(row: T): Child;
  value?(row: T): number | null | undefined; // makes the column sortable and right-aligned
  best?: "high" | "low";
  level?(row: T, best: T): boolean; // marked with the best: it cannot be told apart from it
}

/** How the reader sorted a table, by its name: it is the same when the table is drawn again. */
const sorts = new Map<string, { head: string; descending: boolean }>();

export function table<T>(
  label: string,
  columns: Column<T>[],
  rows: T[],
  name: string = label,
): HTMLElement {
  const body = h("tbody", {});
  const show = (column: Column<T>, descending: boolean) => {
    for (const other of heads) other.removeAttribute("aria-sort");
    const own = heads[columns.indexOf(column)]!;
    own.setAttribute("aria-sort", descending ? "descending" : "ascending");
    fill(body, columns, sorted(rows, column, descending));
  };
  const heads = columns.map((column) =>
    head(column, sorts.get(name), (descending) => {
      sorts.set(name, { head: column.head, descending });
      show(column, descending);
    }),
  );
  fill(body, columns, rows);
  const before = sorts.get(name);
  const column = columns.find((c) => c.value && c.head === before?.head);
  if (before && column) show(column, before.descending);
  const host = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h("table", {}, h("thead", {}, h("tr", {}, heads)), body),
  );
  contents.set(host, () => rows.map((row) => plainRow(columns, row)));
  return host;
}

const contents = new WeakMap<Element, () => PlotRow[]>();

/** A table's rows as numbers and text. */
export const tableRows = (host: Element): PlotRow[] => contents.get(host)?.() ?? [];

function plainRow<T>(columns: Column<T>[], row: T): PlotRow {
  return Object.fromEntries(
    columns.map((column) => {
      const value = column.value?.(row);
      const text = () => h("span", {}, column.cell(row)).textContent;
      return [column.head.replaceAll("\n", " "), isNumber(value) ? value : text()];
    }),
  );
}

function head<T>(
  column: Column<T>,
  before: { head: string; descending: boolean } | undefined,
  sort: (descending: boolean) => void,
): HTMLElement {
  const { value, explain } = column;
  if (!value) return h("th", { scope: "col", title: explain }, column.head);
  let descending = before?.head === column.head ? before.descending : column.best === "low";
  const click = () => sort((descending = !descending));
  return h(
    "th",
    { scope: "col", class: "number", title: explain },
    h("button", { type: "button", onclick: click }, column.head),
  );
}

function sorted<T>(rows: T[], column: Column<T>, descending: boolean): T[] {
  const worst = descending ? -Infinity : Infinity; // what is missing goes last
  const value = (row: T) => {
    const x = column.value!(row);
    return isNumber(x) ? x : worst;
  };
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x === y ? 0 : (x < y ? -1 : 1) * (descending ? -1 : 1);
  });
}

function fill<T>(body: HTMLElement, columns: Column<T>[], rows: T[]): void {
  const marks = columns.map((column) => bestOf(column, rows));
  body.replaceChildren(
    ...rows.map((row) =>
      h(
        "tr",
        {},
        columns.map((column, c) => {
          const best = marks[c] !== null && isBest(column, row, rows, marks[c]);
          return h(
            c === 0 ? "th" : "td",
            {
              scope: c === 0 ? "row" : null,
              class: [column.value && "number", best && "best"].filter(Boolean).join(" ") || null,
            },
            column.cell(row),
          );
        }),
      ),
    ),
  );
}

const textOf = <T>(column: Column<T>, row: T): string =>
  h("span", {}, column.cell(row)).firstChild?.textContent ?? "";

/** The best, what reads the same, and what cannot be told apart from it. */
function isBest<T>(column: Column<T>, row: T, rows: T[], mark: number | undefined): boolean {
  const value = column.value?.(row);
  if (!isNumber(value)) return false;
  if (value === mark) return true;
  const best = rows.find((r) => column.value?.(r) === mark);
  if (best === undefined) return false;
  return textOf(column, row) === textOf(column, best) || !!column.level?.(row, best);
}

function bestOf<T>(column: Column<T>, rows: T[]): number | null {
  const values = rows.map((row) => column.value?.(row)).filter(isNumber);
  if (!column.best || values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return null; // nobody is ahead
  const texts = new Set(
    rows.filter((r) => isNumber(column.value?.(r))).map((r) => textOf(column, r)),
  );
  if (texts.size === 1) return null; // nor where all read the same
  return column.best === "high" ? high : low;
}
