// In: the view. Out: globes over angle histograms, side by side for each method, and their sums.
import type { ChosenUser, Geometry, UserAngles } from "../data";
import { choice, h, idText, notice, shorten, type Child } from "../dom";
import { degrees, isNumber, plural } from "../format";
import { groupName, kDot, kKinds } from "../palette";
import { fitted, legend, methodHead, sign } from "../plots/frame";
import { Globe, type Picked } from "../plots/globe";
import { highest, histogram, layerRows, type Layer } from "../plots/histogram";
import { live, type Section } from "../section";
import type { Shown, View } from "../view";
import { marginRegions } from "./margin";
import { itemName, showItem } from "./items";
import { groupAngles, norms, tightness } from "./geometry_sums";

const kBoth = -1; // one head user above one tail user, as the paper shows them

interface Drawn {
  method: Shown;
  geometry: Geometry;
}

/** Made when the globes first come into sight; null where WebGL is missing. */
let globe: Globe | null | undefined;

export const geometry: Section = {
  id: "geometry",
  title: "Geometry",
  lead:
    "Where the items stand around a user. A good model keeps a user's own items near " +
    "and the others away.",
  needsData: true,
  render: (view) => {
    const drawn = view.shown.flatMap((method) =>
      method.run.geometry ? [{ method, geometry: method.run.geometry }] : [],
    );
    if (drawn.length === 0) return [notice(absence(view))];
    return [
      live((redraw) => users(view, drawn, redraw)),
      groupAngles(drawn),
      tightness(drawn),
      norms(drawn),
      marginRegions(view),
    ];
  },
};

function absence(view: View): string {
  if (view.shown.length === 0) return "No method is chosen: tick one in the bar on top.";
  return (
    "None of the chosen methods has vectors to draw: either the method has no angles " +
    "(most-pop), its model is missing, or there are so many runs that only figures " +
    "were kept."
  );
}

function users(view: View, drawn: Drawn[], redraw: () => void): Child[] {
  const all = view.set.users;
  if (all.length === 0)
    return [notice("No users were chosen for the globes: the data of this set could not be read.")];
  const head = all.findIndex((u) => u.group === 0);
  const tail = all.findIndex((u) => u.group === 2);
  const both = head >= 0 && tail >= 0;
  const chosen = view.remember<number>("globe-user", both ? kBoth : 0, [kBoth, ...all.keys()]);
  const options = all.map((u, value) => ({
    value,
    text: `${groupName(u.group)} user ${shorten(u.id, 24)} (${plural(u.popularity, "item")})`,
  }));
  if (both) options.unshift({ value: kBoth, text: "a head and a tail user" });
  const pick = choice("User", options, chosen.value, (value) => {
    chosen.set(value);
    redraw();
  });
  const rows = chosen.value === kBoth ? [head, tail] : [chosen.value];
  return [
    h(
      "div",
      { class: "row" },
      pick,
      legend(kKinds.map((k) => ({ ...k, label: k.text, symbol: kDot }))),
      ...buttons(),
    ),
    h("p", { class: "small" }, note(drawn)),
    globes(
      view,
      drawn,
      rows.map((index) => ({ index, user: all[index]! })),
    ),
  ];
}

function buttons(): HTMLElement[] {
  const button = (text: string, label: string, act: () => void) =>
    h("button", { type: "button", class: "button", "aria-label": label, onclick: act }, text);
  return [
    button("+", "Zoom in", () => globe?.zoom(1.25)),
    button("−", "Zoom out", () => globe?.zoom(0.8)),
    button("Reset", "Reset the globes", () => globe?.reset()),
  ];
}

function note(drawn: Drawn[]): string {
  const turn =
    "Drag to turn all globes together, click into one and use the wheel to zoom. A click on a " +
    "point shows its item under Explore. Rings mark equal angles to the user; faint points lie " +
    "on the far side.";
  if (drawn.every((d) => d.geometry.true_3d)) return turn;
  return (
    `${turn} Models of more than three dimensions are projected: the angle between the ` +
    "user and each item is exact, directions among items are not."
  );
}

const space = ({ method, geometry }: Drawn): string =>
  geometry.true_3d
    ? "three dimensions, as they are"
    : `projected from ${method.run.dim} dimensions`;

interface Row {
  index: number;
  user: ChosenUser;
}

/** The globes of all rows come alive together, once the first is near the screen. */
function globes(view: View, drawn: Drawn[], rows: Row[]): HTMLElement {
  const places = rows.flatMap(({ index }) =>
    drawn.map((d) => ({ d, index, host: h("div", { class: "globe" }) })),
  );
  const host = h(
    "div",
    { class: "live" },
    rows.map(({ index, user }) => {
      const hosts = places.filter((p) => p.index === index);
      return row(
        drawn,
        user,
        index,
        hosts.map((p) => p.host),
      );
    }),
  );
  const awake = () => {
    watch.disconnect();
    removeEventListener("beforeprint", print);
    if (!host.isConnected) return; // replaced before it was ever seen
    if (globe === undefined) globe = Globe.create();
    globe?.clear();
    for (const { d, index, host } of places) host.replaceChildren(ball(view, d, index));
  };
  const watch = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && awake(), {
    rootMargin: "200px",
  });
  watch.observe(host);
  const print = () => {
    awake();
    globe?.draw(); // paper does not wait for the next frame
  };
  addEventListener("beforeprint", print);
  return host;
}

function ball(view: View, { method, geometry }: Drawn, index: number): HTMLElement {
  const angles = geometry.users[index];
  if (!angles) return notice("This run knows nothing of this user.");
  if (!globe)
    return notice(
      "The globe needs WebGL, which this browser lacks or has switched off. The " +
        "histogram below shows the same angles.",
    );
  const user = view.set.users[index]!;
  const item = ({ kind, index }: Picked) => user[kind][index] ?? -1;
  return globe.panel(
    angles.sphere,
    `Globe of ${shorten(method.label, 60)}: items around the user`,
    {
      name: (picked) => itemName(view.set.items, item(picked)),
      choose: (picked) => showItem(item(picked)),
    },
  );
}

function row(drawn: Drawn[], user: ChosenUser, index: number, hosts: HTMLElement[]): HTMLElement {
  const angles = drawn.map((d) => d.geometry.users[index]);
  const top = Math.max(...angles.map((a) => (a ? highest(layers(a)) : 0)));
  return h(
    "figure",
    { class: "panel", "data-name": `globes-${index}` },
    h(
      "h3",
      {},
      `${groupName(user.group)[0]!.toUpperCase()}${groupName(user.group).slice(1)} user `,
      idText(user.id),
    ),
    h("p", { class: "small" }, drawnText(user)),
    h(
      "div",
      { class: drawn.length < 3 ? "spheres few" : "spheres" },
      drawn.map((d, i) =>
        h(
          "figure",
          { class: "sphere" },
          methodHead(d.method),
          h("p", { class: "small" }, space(d)),
          hosts[i],
          angles[i] ? below(d.method, angles[i], d.geometry.bin_degrees, top) : null,
        ),
      ),
    ),
  );
}

function drawnText(user: ChosenUser): string {
  const part = (shown: number, all: number, what: string) =>
    shown < all ? `${shown} of ${all.toLocaleString("en-US")} ${what}` : `${all} ${what}`;
  return (
    `Drawn: ${part(user.positive.length, user.positives, "training items")}, ` +
    `${part(user.held_out.length, user.held_outs, "held-out items")}, ` +
    `${part(user.negative.length, user.negatives, "other items")}.`
  );
}

const layers = (a: UserAngles): Layer[] => [
  { color: "var(--negative)", shares: a.negative, mean: a.mean_negative, name: "others" },
  { color: "var(--held-out)", shares: a.held_out, mean: a.mean_held_out, name: "held out" },
  { color: "var(--positive)", shares: a.positive, mean: a.mean_positive, name: "training" },
];

function below(method: Shown, angles: UserAngles, bin: number, top: number): Child {
  const means = [angles.mean_positive, angles.mean_held_out, angles.mean_negative];
  const label =
    `Angles to the user under ${shorten(method.label, 60)}: means ` +
    `${means.map(degrees).join(", ")}`;
  return [
    fitted(
      label,
      (width) =>
        histogram(layers(angles), {
          bin,
          end: 180,
          top,
          width,
          label: "angle to the user",
          ticks: [0, 45, 90, 135, 180],
        }),
      () => layerRows(layers(angles), ["others", "held_out", "training"], bin),
    ),
    h(
      "dl",
      { class: "angles" },
      kKinds.map((kind, i) =>
        isNumber(means[i])
          ? [
              h("dt", {}, sign({ ...kind, symbol: kDot }), `mean, ${kind.short}`),
              h("dd", {}, degrees(means[i])),
            ]
          : null,
      ),
    ),
  ];
}
