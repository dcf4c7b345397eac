// In: a margin and the angle between two items. Out: where a user may lie so that the positive item
// beats the negative one, without the margin (softmax) and with it (BC loss), on a circle and on a
// sphere: theta_positive <= theta_negative, and theta_positive + margin <= theta_negative.
import { kDot, kSquare } from "../palette";

const kSvg = "http://www.w3.org/2000/svg";
const kStep = 2; // pixels of the sphere's grid

type Vector = [number, number, number];
export type Region = 0 | 1 | 2; // neither, softmax alone, both

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const angle = (a: Vector, b: Vector): number => Math.acos(Math.min(1, Math.max(-1, dot(a, b))));

/** What holds for a user in this direction. */
export function regionOf(user: Vector, positive: Vector, negative: Vector, margin: number): Region {
  const [near, far] = [angle(user, positive), angle(user, negative)];
  return near > far ? 0 : near + margin > far ? 1 : 2;
}

/** Two items, `apart` radians from each other, turned towards the reader. */
export function itemsApart(apart: number): { positive: Vector; negative: Vector } {
  const place = (a: number): Vector => [Math.sin(a), 0.25 * Math.cos(a), 0.968 * Math.cos(a)];
  return { positive: place(-apart / 2), negative: place(apart / 2) };
}

/** Share of all directions in space that fulfil softmax, and the condition with the margin. */
export function shares(apart: number, margin: number): { softmax: number; bc: number } {
  const { positive, negative } = itemsApart(apart);
  const [rings, steps] = [60, 120];
  let [softmax, bc] = [0, 0];
  for (let r = 0; r < rings; ++r)
    for (let s = 0; s < steps; ++s) {
      const z = -1 + (2 * r + 1) / rings; // rings of equal area
      const turn = ((2 * s + 1) * Math.PI) / steps;
      const side = Math.sqrt(1 - z * z);
      const user: Vector = [side * Math.cos(turn), side * Math.sin(turn), z];
      const region = regionOf(user, positive, negative, margin);
      if (region > 0) ++softmax;
      if (region === 2) ++bc;
    }
  return { softmax: softmax / (rings * steps), bc: bc / (rings * steps) };
}

const kFills = ["var(--wash)", "var(--thing-1)", "var(--thing-0)"] as const;

function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function marker(x: number, y: number, text: string, path: string, left: boolean): SVGElement[] {
  const sign = make("path", {
    d: path,
    transform: `translate(${x - 6},${y - 6})`,
    fill: "var(--ink)",
    stroke: "var(--paper)",
  });
  const label = make("text", {
    x: x + (left ? -10 : 10),
    y: y - 8,
    "text-anchor": left ? "end" : "start",
    fill: "var(--ink)",
    stroke: "var(--paper)",
    "stroke-width": 3,
    "paint-order": "stroke",
    "font-size": 12,
  });
  label.textContent = text;
  return [sign, label];
}

function canvas(width: number, height: number, title: string): SVGSVGElement {
  const svg = make("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "aria-hidden": "true",
  }) as SVGSVGElement;
  const text = make("text", { x: width / 2, y: 14, "text-anchor": "middle", fill: "var(--soft)" });
  text.setAttribute("font-size", "12");
  text.textContent = title;
  svg.append(text);
  return svg;
}

/** The circle: a ring of directions, coloured by what holds there. */
export function circle(apart: number, margin: number, size: number): SVGSVGElement {
  const svg = canvas(size, size + 20, "two dimensions");
  const [cx, cy, outer, inner] = [size / 2, size / 2 + 20, 0.36 * size, 0.27 * size];
  const at = (a: number): Vector => [Math.sin(a), Math.cos(a), 0];
  const [positive, negative] = [at(-apart / 2), at(apart / 2)];
  const steps = 360;
  for (const region of [0, 1, 2] as const) {
    let path = "";
    for (let s = 0; s < steps; ++s) {
      const [from, to] = [s, s + 1].map((n) => (2 * Math.PI * n) / steps) as [number, number];
      if (regionOf(at((from + to) / 2), positive, negative, margin) !== region) continue;
      const point = (a: number, r: number) =>
        `${(cx + r * Math.sin(a)).toFixed(1)} ${(cy - r * Math.cos(a)).toFixed(1)}`;
      path += `M${point(from, inner)}L${point(from, outer)}L${point(to, outer)}L${point(to, inner)}Z`;
    }
    svg.append(make("path", { d: path, fill: kFills[region], stroke: kFills[region] }));
  }
  const place = (v: Vector): [number, number] => [
    cx + (outer + 10) * v[0],
    cy - (outer + 10) * v[1],
  ];
  svg.append(...marker(...place(positive), "positive", kDot.path, true));
  svg.append(...marker(...place(negative), "negative", kSquare.path, false));
  return svg;
}

/** The sphere, seen from the side on which both items lie. */
export function sphere(apart: number, margin: number, size: number): SVGSVGElement {
  const svg = canvas(size, size + 20, "three dimensions");
  const [cx, cy, radius] = [size / 2, size / 2 + 20, 0.4 * size];
  const { positive, negative } = itemsApart(apart);
  const paths = ["", "", ""];
  for (let x = -radius; x < radius; x += kStep)
    for (let y = -radius; y < radius; y += kStep) {
      const [a, b] = [(x + kStep / 2) / radius, (y + kStep / 2) / radius];
      if (a * a + b * b > 1) continue;
      const user: Vector = [a, -b, Math.sqrt(1 - a * a - b * b)];
      const region = regionOf(user, positive, negative, margin);
      paths[region] +=
        `M${(cx + x).toFixed(1)} ${(cy + y).toFixed(1)}h${kStep}v${kStep}h-${kStep}z`;
    }
  paths.forEach((d, region) => svg.append(make("path", { d, fill: kFills[region as Region] })));
  svg.append(
    make("circle", {
      cx,
      cy,
      r: radius,
      fill: "none",
      stroke: "var(--globe-rim)",
      "stroke-width": 2,
    }),
  );
  const place = (v: Vector): [number, number] => [cx + radius * v[0], cy - radius * v[1]];
  svg.append(...marker(...place(positive), "positive", kDot.path, true));
  svg.append(...marker(...place(negative), "negative", kSquare.path, false));
  return svg;
}
