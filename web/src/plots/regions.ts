// In: a margin and the angle between two items. Out: where a user may lie so that the positive item
// beats the negative one, without the margin (softmax) and with it (BC loss), on a circle and on a
// sphere: theta_positive <= theta_negative, and theta_positive + margin <= theta_negative.
import { kDot, kSquare } from "../palette";

const kSvg = "http://www.w3.org/2000/svg";
const kRow = 2; // pixels between the lines along which the sphere is cut

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

/** The same as a map of two angles: the margin lifts the line that a user must stay above. */
export function plane(margin: number, size: number): SVGSVGElement {
  const svg = canvas(size, size + 20, "as angles, in any number of dimensions");
  const [left, top, side] = [44, 32, size - 62];
  const at = (near: number, far: number): string =>
    `${(left + (side * near) / Math.PI).toFixed(1)},${(top + side * (1 - far / Math.PI)).toFixed(1)}`;
  const area = (region: Region, ...corners: [number, number][]) =>
    svg.append(
      make("polygon", {
        points: corners.map(([near, far]) => at(near, far)).join(" "),
        fill: kFills[region],
      }),
    );
  const end = Math.PI;
  area(0, [0, 0], [end, 0], [end, end], [0, end]);
  area(1, [0, 0], [end, end], [0, end]);
  area(2, [0, margin], [end - margin, end], [0, end]);
  const word = (x: number, y: number, text: string, anchor: string) => {
    const label = make("text", { x, y, "text-anchor": anchor, fill: "var(--ink)" });
    label.setAttribute("font-size", "12");
    label.textContent = text;
    svg.append(label);
  };
  for (const degrees of [0, 90, 180]) {
    const along = (side * degrees) / 180;
    word(left - 6, top + side - along + 4, `${degrees}°`, "end");
    word(left + along, top + side + 16, `${degrees}°`, "middle");
  }
  word(left + side / 2, top + side + 34, "angle to the positive item", "middle");
  const upright = make("text", { "text-anchor": "middle", fill: "var(--ink)", "font-size": 12 });
  upright.setAttribute("transform", `translate(11 ${top + side / 2}) rotate(-90)`);
  upright.textContent = "angle to the negative item";
  svg.append(upright);
  return svg;
}

interface Line {
  y: number;
  from: number;
  to: number;
}

/** From where to where something holds along a line from -half to half; it holds in one piece. */
function stretch(holds: (x: number) => boolean, half: number): Omit<Line, "y"> | null {
  const steps = 48;
  const place = (n: number) => half * ((2 * n) / steps - 1);
  const inside = [...Array(steps + 1).keys()].filter((n) => holds(place(n)));
  if (inside.length === 0) return null;
  const edge = (within: number, without: number) => {
    for (let n = 0; n < 12; ++n) {
      const middle = (within + without) / 2;
      if (holds(middle)) within = middle;
      else without = middle;
    }
    return within;
  };
  const [first, last] = [inside[0]!, inside[inside.length - 1]!];
  return {
    from: first === 0 ? -half : edge(place(first), place(first - 1)),
    to: last === steps ? half : edge(place(last), place(last + 1)),
  };
}

/** The sphere, seen from the side on which both items lie. */
export function sphere(apart: number, margin: number, size: number): SVGSVGElement {
  const svg = canvas(size, size + 20, "three dimensions");
  const [cx, cy, radius] = [size / 2, size / 2 + 20, 0.4 * size];
  const { positive, negative } = itemsApart(apart);
  const rim: Line[] = [];
  const areas: [Region, Line[]][] = [1, 2].map((least) => [least as Region, []]);
  for (let y = -radius + kRow / 2; y < radius; y += kRow) {
    const up = -y / radius;
    const half = Math.sqrt(1 - up * up);
    const at = (x: number) =>
      regionOf([x, up, Math.sqrt(Math.max(0, half * half - x * x))], positive, negative, margin);
    rim.push({ y, from: -half, to: half });
    for (const [least, lines] of areas) {
      const found = stretch((x) => at(x) >= least, half);
      if (found) lines.push({ y, ...found });
    }
  }
  const draw = (region: Region, lines: Line[]) => {
    const point = (x: number, y: number) =>
      `${(cx + radius * x).toFixed(1)},${(cy + y).toFixed(1)}`;
    const there = lines.map((l) => point(l.from, l.y));
    const back = lines.map((l) => point(l.to, l.y)).reverse();
    svg.append(make("polygon", { points: [...there, ...back].join(" "), fill: kFills[region] }));
  };
  draw(0, rim);
  for (const [region, lines] of areas) draw(region, lines);
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
