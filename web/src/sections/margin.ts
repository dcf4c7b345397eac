// In: the view. Out: what a margin asks of a user's place, to be tried with sliders.
import type { Margins } from "../data";
import { h, shorten, type Child } from "../dom";
import { percent } from "../format";
import { kSquare } from "../palette";
import { fitted, legend, panel, refit } from "../plots/frame";
import { circle, plane, shares, sphere } from "../plots/regions";
import type { Choice, View } from "../view";

const kMost = 1.3;
const kDegree = Math.PI / 180;

interface Knob {
  id: string;
  label: string;
  choice: Choice<number>;
  most: number;
  least: number;
  step: number;
  text(value: number): string;
}

function knob({ id, label, choice, least, most, step, text }: Knob, changed: () => void) {
  choice.value = Math.min(most, Math.max(least, choice.value));
  const output = h("output", { for: id }, text(choice.value));
  const input = h("input", {
    type: "range",
    id,
    "aria-label": label,
    min: least,
    max: most,
    step,
    value: choice.value,
    oninput: () => turn(Number(input.value)),
  });
  const turn = (value: number) => {
    choice.set(value);
    input.value = String(value);
    output.textContent = text(value);
    changed();
  };
  return { turn, row: h("div", { class: "knob" }, h("label", { for: id }, label), input, output) };
}

/** Where a share of the pairs has a smaller margin. */
function quantile({ histogram, bin_radians: bin }: Margins, share: number): number {
  let sum = 0;
  const at = histogram.findIndex((s) => (sum += s) >= share);
  return bin * ((at < 0 ? histogram.length : at) + 0.5);
}

/** The margins that a run of this report gives, to be tried. */
function presets(view: View, turn: (margin: number) => void): Child {
  const run = view.shown.find((m) => m.run.margins && m.run.margins.bin_radians > 0);
  const margins = run?.run.margins;
  if (!run || !margins) return null;
  const one = (text: string, value: number) =>
    h("button", { type: "button", class: "button", onclick: () => turn(value) }, text);
  const words: [string, number][] = [
    ["small (5 %)", quantile(margins, 0.05)],
    ["mean", margins.mean],
    ["large (95 %)", quantile(margins, 0.95)],
  ];
  return h(
    "div",
    { class: "row" },
    h("span", { class: "small" }, `Margins of ${shorten(run.label, 40)}:`),
    h(
      "span",
      { class: "presets" },
      words.map(([text, value]) => one(`${text}: ${value.toFixed(2)}`, value)),
    ),
  );
}

export function marginRegions(view: View): HTMLElement {
  const margin = view.remember<number>("margin", 0.4);
  const apart = view.remember<number>("apart", 80);
  const size = (width: number) => Math.min(300, width);
  const left = () => shares(apart.value * kDegree, margin.value);
  const rows = () => [{ margin: margin.value, degrees_apart: apart.value, ...left() }];
  const plots = [
    fitted(
      "Where a user may lie on a circle",
      (w) => circle(apart.value * kDegree, margin.value, size(w)),
      rows,
    ),
    fitted(
      "Where a user may lie on a sphere",
      (w) => sphere(apart.value * kDegree, margin.value, size(w)),
      rows,
    ),
    fitted("Which angles are enough", (w) => plane(margin.value, size(w)), rows),
  ];
  const told = h("p", { class: "small", role: "status" });
  const tell = () => {
    const { softmax, bc } = left();
    told.textContent =
      `With this margin ${percent(bc, 0)} of all directions in space are left to the user, ` +
      `instead of ${percent(softmax, 0)}.`;
  };
  const changed = () => {
    plots.forEach(refit);
    tell();
  };
  const radians = knob(
    {
      id: "margin",
      label: "Margin",
      choice: margin,
      least: 0,
      most: kMost,
      step: 0.01,
      text: (m) => `${m.toFixed(2)} radians (${(m / kDegree).toFixed(0)}°)`,
    },
    changed,
  );
  const degrees = knob(
    {
      id: "apart",
      label: "Between the items",
      choice: apart,
      least: 20,
      most: 160,
      step: 5,
      text: (a) => `${a}°`,
    },
    changed,
  );
  tell();
  return panel(
    "What a margin asks for",
    "The user must lie nearer to the positive item than to the negative one; with a margin, nearer " +
      "by at least the margin. BC loss gives a large margin to pairs that popularity cannot explain " +
      "and almost none to those it predicts. Items nearer to each other than the margin leave no room " +
      "at all, so the loss drives them apart.",
    h("div", { class: "knobs" }, radians.row, degrees.row),
    presets(view, radians.turn),
    told,
    h("div", { class: "grid small-multiples" }, plots),
    legend([
      { label: "softmax and BC loss are content", color: "var(--thing-0)", symbol: kSquare },
      { label: "softmax alone is content", color: "var(--thing-1)", symbol: kSquare },
      { label: "neither", color: "var(--rule)", symbol: kSquare },
    ]),
  );
}
