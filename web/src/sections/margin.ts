// In: the view. Out: what a margin asks of a user's place, to be tried with a slider.
import { h } from "../dom";
import { percent } from "../format";
import { kSquare } from "../palette";
import { fitted, legend, panel, refit } from "../plots/frame";
import { circle, shares, sphere } from "../plots/regions";
import type { View } from "../view";

const kApart = 1.4; // radians between the two items
const kMost = 1.3;

export function marginRegions(view: View): HTMLElement {
  const margin = view.remember<number>("margin", 0.4);
  margin.value = Math.min(kMost, Math.max(0, margin.value));
  const size = (width: number) => Math.min(300, width);
  const rows = () => [{ margin: margin.value, ...shares(kApart, margin.value) }];
  const plots = [
    fitted("Where a user may lie on a circle", (w) => circle(kApart, margin.value, size(w)), rows),
    fitted("Where a user may lie on a sphere", (w) => sphere(kApart, margin.value, size(w)), rows),
  ];
  const output = h("output", { for: "margin" });
  const slider = h("input", {
    type: "range",
    id: "margin",
    "aria-label": "Margin in radians",
    min: 0,
    max: kMost,
    step: 0.05,
    value: margin.value,
    oninput: () => {
      margin.set(Number(slider.value));
      plots.forEach(refit);
      tell();
    },
  });
  const tell = () => {
    const { softmax, bc } = shares(kApart, margin.value);
    output.textContent =
      `${margin.value.toFixed(2)} radians: ${percent(bc, 0)} of all directions in space are left, ` +
      `instead of ${percent(softmax, 0)}`;
  };
  tell();
  return panel(
    "What a margin asks for",
    "The user must lie nearer to the positive item than to the negative one; with a margin, nearer " +
      "by at least the margin. BC loss gives a large margin to pairs that popularity cannot explain " +
      "and almost none to those it predicts.",
    h("div", { class: "knob" }, h("label", { for: "margin" }, "Margin"), slider, output),
    h("div", { class: "grid small-multiples" }, plots),
    legend([
      { label: "softmax and BC loss are content", color: "var(--thing-0)", symbol: kSquare },
      { label: "softmax alone is content", color: "var(--thing-1)", symbol: kSquare },
      { label: "neither", color: "var(--rule)", symbol: kSquare },
    ]),
  );
}
