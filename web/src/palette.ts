// In: the number of a method, a kind of item or a group. Out: its colour and its symbol.
// Colours are variables of the style sheet (Okabe-Ito, one set for light and one for dark), so that
// a change of theme needs no redrawing. Symbols differ too: colour is never the only sign.
import type { Group } from "./data";

export const kMaxShown = 8; // more lines than this cannot be told apart

const kSymbols = [
  { name: "circle", path: "M6 1.5a4.5 4.5 0 1 0 0.01 0z" },
  { name: "square", path: "M2 2h8v8h-8z" },
  { name: "triangle", path: "M6 1l5 9.5h-10z" },
  { name: "diamond", path: "M6 0l3.6 6-3.6 6-3.6-6z" },
  {
    name: "star",
    path: "M6 0l1.5 4.2 4.5.2-3.5 2.7 1.2 4.4-3.7-2.5-3.7 2.5 1.2-4.4-3.5-2.7 4.5-.2z",
  },
  { name: "cross", path: "M4.2 1h3.6v3.2h3.2v3.6h-3.2v3.2h-3.6v-3.2h-3.2v-3.6h3.2z" },
  { name: "hexagon", path: "M6 .6l4.7 2.7v5.4l-4.7 2.7-4.7-2.7v-5.4z" },
  { name: "wye", path: "M4.7 11v-4.3l-3.7-2.1 1.3-2.3 3.7 2.2 3.7-2.2 1.3 2.3-3.7 2.1v4.3z" },
] as const;
export type MethodSymbol = (typeof kSymbols)[number]; // its name in plots, its path in a box of 12
export const kDot: MethodSymbol = kSymbols[0];
export const kSquare: MethodSymbol = kSymbols[1];

export const methodColor = (slot: number): string => `var(--method-${slot % kMaxShown})`;
export const methodSymbol = (slot: number): MethodSymbol => kSymbols[slot % kMaxShown]!;

/** Colours of what is no method: items and users, tests, kinds of items. */
export const thingColor = (slot: number): string => `var(--thing-${slot % 4})`;

export const kGroupNames = ["head", "mid", "tail"] as const;
export const groupName = (group: Group): string => kGroupNames[group] ?? "unknown";
export const groupColor = (group: Group): string => `var(--${groupName(group)})`;

/** Slices of the catalogue by popularity: thirds would often be one bar of head. */
export const kSlices = [
  { label: "top 1 % of items", color: "var(--slice-0)", ink: "var(--on-slice-0)", symbol: kSquare },
  { label: "next 4 %", color: "var(--slice-1)", ink: "var(--on-slice-1)", symbol: kSquare },
  { label: "next 15 %", color: "var(--slice-2)", ink: "var(--on-slice-2)", symbol: kSquare },
  { label: "other 80 %", color: "var(--slice-3)", ink: "var(--on-slice-3)", symbol: kSquare },
] as const;

export const kKinds = [
  { key: "positive", text: "training items", short: "training", color: "var(--positive)" },
  { key: "held_out", text: "held-out items", short: "held out", color: "var(--held-out)" },
  { key: "negative", text: "other items", short: "others", color: "var(--negative)" },
] as const;
