// In: a made-up data set. Out: fronts, comparisons and a verdict for it, as invented as the rest.
import { normalise, range, slices, trio } from "./numbers.mjs";

/** @typedef {import("../src/data").DataSet} DataSet */

/**
 * Popularity taken out: the log's test falls, the balanced one rises and falls again.
 * @returns {import("../src/data").Front}
 */
export function front(
  /** @type {() => number} */ random,
  /** @type {number} */ skill,
  /** @type {DataSet} */ set,
) {
  const at = (/** @type {number} */ g) => ({
    debias: g,
    logged: (0.1 + 0.05 * skill) * (1 - 0.5 * g * g),
    balanced: (0.03 + 0.03 * skill) * (1 + g - 0.7 * g * g),
    logged_ndcg: 0.07 * (1 - 0.5 * g * g),
    balanced_ndcg: 0.02 * (1 + g - 0.7 * g * g),
    logged_items: trio((i) => (0.15 - 0.06 * i) * (1 - 0.3 * g)),
    balanced_items: trio((i) => (0.06 - 0.02 * i) * (1 + (i - 0.8) * 0.5 * g)),
    gini: 0.8 - 0.3 * g,
    coverage: 0.4 + 0.3 * g,
    mean_popularity: 90 - 40 * g,
    group_share: trio((i) => normalise([0.9 - 0.4 * g, 0.08 + 0.2 * g, 0.02 + 0.2 * g])[i] ?? 0),
    slice_share: slices(0.3 - 0.1 * g),
    lift: range(10).map((d) => 2 - 0.15 * d),
  });
  return {
    temperature: 0.1,
    debias: 0,
    area: 0.002 + 0.004 * skill,
    logged_users: 4000,
    balanced_users: 3900,
    list_users: 5000,
    stops: [0, 0.1, 0.2, 0.4, 0.8, 1.2].map(at),
    pools: set.explore.slice(0, 40).map((u) => {
      const items = range(60).map((i) => 2 * i);
      return {
        items,
        scores: items.map((i) => 10 - i / 12 + random()),
        hits: items.flatMap((item, i) => (u.held_out.includes(item) ? [i] : [])),
      };
    }),
  };
}

/** Every pair of the first methods on both tests. @returns {import("../src/data").Comparison[]} */
export function compared(/** @type {DataSet} */ set) {
  const some = range(Math.min(12, set.methods.length));
  const recall = (/** @type {number} */ m, /** @type {string} */ part) =>
    set.methods[m]?.evaluations.find((e) => e.part === part)?.mean.recall ?? 0;
  return some.flatMap((a) =>
    some.slice(a + 1).flatMap((b) =>
      set.tests.flatMap((part) =>
        /** @type {const} */ (["recall", "ndcg"]).map((metric) => {
          const difference = (metric === "ndcg" ? 0.7 : 1) * (recall(a, part) - recall(b, part));
          return {
            a,
            b,
            part,
            metric,
            seeds: 1,
            users: 4321,
            difference,
            low: difference - 0.009,
            high: difference + 0.009,
            p: Math.exp(-900 * Math.abs(difference)),
            p_signed_rank: Math.exp(-800 * Math.abs(difference)),
          };
        }),
      ),
    ),
  );
}

/** @returns {import("../src/data").Verdict} */
export function verdict(/** @type {DataSet} */ set) {
  const best = set.methods.length - 1;
  return {
    best,
    part: "test_ood",
    sentence: `${set.methods[best]?.label} is ahead on test_ood, in this fixture.`,
    figures: [
      { value: "0.0812", label: "Recall@20 of the best", note: "on test_ood" },
      { value: "+12.3 %", label: "against the next best", note: "beyond chance, p < 0.001" },
      { value: "3.1 %", label: "of the places go to the tail", note: "which has 8.0 %" },
    ],
    catalogue: "The most popular tenth of the items has 38 % of the interactions, invented.",
  };
}
