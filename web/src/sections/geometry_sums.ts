// In: the geometry of the shown methods. Out: angles, compactness and norms over all rows.
import type { Geometry, Trio } from "../data";
import { h, shorten, type Child } from "../dom";
import { degrees, fixed, isNumber } from "../format";
import { kGroupNames } from "../palette";
import { barRows, bars, type Bar } from "../plots/bars";
import { fitted, panel, methodHead } from "../plots/frame";
import { kTurns, noiseOf, pointRows, scatter, trendOf, turns } from "../plots/scatter";
import type { Shown } from "../view";

interface Drawn {
  method: Shown;
  geometry: Geometry;
}

function groupBars(drawn: Drawn[], of: (g: Geometry) => Trio<number | null>): Bar[] {
  return kGroupNames.flatMap((group, g) =>
    drawn.flatMap(({ method, geometry }) => {
      const value = of(geometry)[g];
      return isNumber(value) ? [{ group: `${group} users`, method, value }] : [];
    }),
  );
}

function sum(
  drawn: Drawn[],
  title: string,
  caption: string,
  label: string,
  rows: Bar[],
  text: (x: number) => string,
): HTMLElement {
  if (rows.length === 0) return panel(title, "There are no figures for this.");
  const methods = drawn.map((d) => d.method);
  return panel(
    title,
    caption,
    fitted(
      title,
      (width) => bars(rows, methods, { label, text, width }),
      () => barRows(rows, label),
    ),
  );
}

export function groupAngles(drawn: Drawn[]): Child {
  return h(
    "div",
    { class: "grid" },
    sum(
      drawn,
      "Mean angle to training items",
      "Over all users of a group. Smaller: a user's items are nearer.",
      "degrees",
      groupBars(drawn, (g) => g.positive_degrees),
      degrees,
    ),
    sum(
      drawn,
      "Mean angle to other items",
      "Over all users of a group, sampled. Larger: what the user did not take is further away.",
      "degrees",
      groupBars(drawn, (g) => g.negative_degrees),
      degrees,
    ),
  );
}

export function tightness(drawn: Drawn[]): Child {
  const number = (x: number) => fixed(x, 3);
  return h(
    "div",
    { class: "grid" },
    sum(
      drawn,
      "Compactness",
      "Mean squared distance of a user to the centroid of its own items. Small is compact.",
      "squared distance",
      groupBars(drawn, (g) => g.user_compactness),
      number,
    ),
    sum(
      drawn,
      "Dispersion",
      "Mean squared distance of a user to items it did not take. Large is dispersed.",
      "squared distance",
      groupBars(drawn, (g) => g.user_dispersion),
      number,
    ),
  );
}

export function norms(drawn: Drawn[]): Child {
  const told = drawn.filter((d) => d.geometry.norms.points.length > 0);
  if (told.length === 0) return null;
  const one = ({ method, geometry }: Drawn) => {
    const trend = trendOf(geometry.norms.points);
    return h(
      "div",
      { class: "panel" },
      methodHead(method),
      h(
        "p",
        { class: "small" },
        `Pearson r of norm and log popularity: ${fixed(geometry.norms.pearson, 3)}.`,
        turns(trend, noiseOf(geometry.norms.points)) ? kTurns : null,
      ),
      fitted(
        `Norm of the item vectors of ${shorten(method.label, 60)} against popularity`,
        (width) =>
          scatter({
            points: geometry.norms.points,
            trend,
            color: method.color,
            xLabel: "training interactions",
            yLabel: "norm",
            width,
          }),
        () => pointRows(geometry.norms.points, "training_interactions", "norm"),
      ),
    );
  };
  return panel(
    "Embedding norm against popularity",
    "A model that ranks by dot product uses an item's norm as a prior: if norms grow " +
      "with popularity, popular items are shown to everyone.",
    h("div", { class: "grid small-multiples" }, told.map(one)),
  );
}
