// In: the view. Out: every method against one baseline, corrected for being many comparisons.
import { choice, h, notice, shorten, type Child } from "../dom";
import { metricName, plural } from "../format";
import { holm } from "../holm";
import { fitted, panel } from "../plots/frame";
import { forest, kBeyondChance, type Difference } from "../plots/forest";
import { live } from "../section";
import { mainTest, parts, type Shown, type View } from "../view";

const kMetrics = ["recall", "ndcg"] as const;

export function comparisons(view: View): Child {
  if (view.set.comparisons.length === 0) return null;
  return live((redraw) => draw(view, redraw));
}

/** Differences of all methods to the baseline; Holm counts them all, shown or not. */
export function differences(
  view: View,
  baseline: number,
  part: string,
  metric: string,
): Difference[] {
  const found = view.set.comparisons.flatMap((c) => {
    if (c.part !== part || c.metric !== metric || (c.a !== baseline && c.b !== baseline)) return [];
    const [other, sign] = c.a === baseline ? [c.b, -1] : [c.a, 1];
    const method = view.methods.find((m) => m.index === other);
    const [low, high] = sign > 0 ? [c.low, c.high] : [-c.high, -c.low];
    return method ? [{ method, difference: sign * c.difference, low, high, p: c.p }] : [];
  });
  const adjusted = holm(found.map((d) => d.p));
  return found
    .map((d, i) => ({ ...d, p: adjusted[i]! }))
    .sort((a, b) => b.difference - a.difference);
}

/** Whether the means of a method are over runs that its comparisons do not have. */
const partlyRead = (view: View, { method }: Shown): boolean =>
  method.runs.some((r) => {
    const run = view.report.runs[r];
    return run?.state === "ok" && !run.detailed;
  });

function draw(view: View, redraw: () => void): Child[] {
  const compared = new Set(view.set.comparisons.flatMap((c) => [c.a, c.b]));
  const candidates = view.methods.filter((m) => compared.has(m.index));
  const indices = candidates.map((m) => m.index);
  const best = view.set.verdict?.best ?? -1;
  const first = indices.includes(best) ? best : (indices[0] ?? 0);
  const baseline = view.remember<number>("against", first, indices);
  const part = view.remember("forest-part", mainTest(view), parts(view));
  const metric = view.remember<string>("forest-metric", "recall", kMetrics);
  const pick = <T extends string | number>(
    label: string,
    chosen: { value: T; set(value: T): void },
    options: { value: T; text: string }[],
  ) =>
    choice(label, options, chosen.value, (value) => {
      chosen.set(value);
      redraw();
    });
  const all = differences(view, baseline.value, part.value, metric.value);
  const rows = all.filter((d) => view.isShown(d.method));
  const name = shorten(view.methods.find((m) => m.index === baseline.value)?.label ?? "", 40);
  const label = `${metricName(metric.value, view.k)} less that of ${name}`;
  const beyond = all.filter((d) => d.p < kBeyondChance).length;
  const users = view.set.comparisons.find((c) => c.part === part.value)?.users ?? 0;
  const caption =
    `Difference to ${name} on ${part.value}, over the ${plural(users, "user")} all were tested on, ` +
    "with its 95 % interval. p: paired t-test, by Holm over " +
    `${plural(all.length, "comparison")}; filled where p is below 0.05 (${beyond} of ` +
    `${all.length}). Intervals are over users and say nothing about another seed.` +
    (candidates.some((m) => partlyRead(view, m))
      ? " Of many runs not every model is read, and these differences are those of the runs that are."
      : "");
  const controls = h(
    "div",
    { class: "row" },
    pick(
      "Baseline",
      baseline,
      candidates.map((m) => ({ value: m.index, text: m.label })),
    ),
    parts(view).length > 1
      ? pick(
          "Test",
          part,
          parts(view).map((value) => ({ value, text: value })),
        )
      : null,
    pick(
      "Metric",
      metric,
      kMetrics.map((value) => ({ value: value as string, text: metricName(value, view.k) })),
    ),
  );
  return [
    rows.length === 0
      ? [
          controls,
          notice("None of the chosen methods was compared with this baseline on the same pairs."),
        ]
      : panel(
          "Differences to a baseline",
          caption,
          controls,
          fitted(
            label,
            (width) => forest(rows, label, width),
            () =>
              rows.map((d) => ({
                method: d.method.label,
                baseline: name,
                difference: d.difference,
                low: d.low,
                high: d.high,
                p_holm: d.p,
              })),
          ),
        ),
  ];
}
