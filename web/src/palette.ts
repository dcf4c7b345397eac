// In: the number of a method, a kind of item or a group. Out: its colour and its symbol.
// Colours are variables of the style sheet (Okabe-Ito, one set for light and one for dark), so that
// a change of theme needs no redrawing. Symbols differ too: colour is never the only sign.
import type { Group } from "./data";

export const kMaxShown = 8; // more lines than this cannot be told apart

const kSymbols = [
  { name: "circle", glyph: "●" },
  { name: "square", glyph: "■" },
  { name: "triangle", glyph: "▲" },
  { name: "diamond", glyph: "◆" },
  { name: "star", glyph: "★" },
  { name: "cross", glyph: "✚" },
  { name: "hexagon", glyph: "⬢" },
  { name: "wye", glyph: "▼" },
] as const;
export type MethodSymbol = (typeof kSymbols)[number]; // as plots name it, and as text shows it

export const methodColor = (slot: number): string => `var(--method-${slot % kMaxShown})`;
export const methodSymbol = (slot: number): MethodSymbol => kSymbols[slot % kMaxShown]!;

export const kGroupNames = ["head", "mid", "tail"] as const;
export const groupName = (group: Group): string => kGroupNames[group] ?? "unknown";
export const groupColor = (group: Group): string => `var(--${groupName(group)})`;

export const kKinds = [
  { key: "positive", text: "training items", color: "var(--positive)" },
  { key: "held_out", text: "held-out items", color: "var(--held-out)" },
  { key: "negative", text: "other items", color: "var(--negative)" },
] as const;
