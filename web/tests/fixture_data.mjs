// In: a name, or the wish for hostile ids. Out: a made-up data set for the tests of the page.
import { normalise, numbers, range, slices, trio } from "./numbers.mjs";

/** @typedef {import("../src/data").DataSet} DataSet */
/** @typedef {import("../src/data").Group} Group */

export const kHostile =
  '<script>window.hacked = 1</script>"\'&<img src=x onerror="window.hacked=1"> ' + "ünï‮abc 🦊";
export const kLong = "x".repeat(10240);

export const kItems = 120;
export const kParts = ["valid", "test_id", "test_ood"];
/** @returns {import("../src/data").NineGroups} */
export function nine() {
  return {
    mean: trio((u) => trio((i) => 0.5 + 0.25 * i + 0.12 * u)),
    sd: trio((u) => trio((i) => 0.1 + 0.02 * i + 0.01 * u)),
    count: trio((u) => trio((i) => 9000 - 2500 * i - 400 * u)),
  };
}

/** @returns {import("../src/data").BiasSide} */
function side(/** @type {number} */ seed) {
  const random = numbers(seed);
  const at = (/** @type {number} */ p) => 0.2 + 0.12 * Math.log(p);
  const points = range(400)
    .map(() => Math.exp(6 * random()))
    .map((p) => /** @type {[number, number]} */ ([p, at(p) + 0.2 * (random() - 0.5)]));
  return {
    pearson: 0.7703,
    pearson_log: 0.91,
    pearson_rows: 0.68,
    by_value: range(30).map((i) => [Math.exp(i / 5), at(Math.exp(i / 5)) + 0.05 * random()]),
    points,
    trend: range(12).map((i) => [Math.exp(i / 2), at(Math.exp(i / 2))]),
    count: 40981,
  };
}

/** @returns {DataSet} */
export function dataSet(/** @type {string} */ name, /** @type {boolean} */ hostile) {
  const group = (/** @type {number} */ i) =>
    /** @type {Group} */ (Math.min(2, Math.floor((3 * i) / kItems)));
  const ids = range(kItems).map((i) => `item-${i}`);
  const users = range(200).map((i) => `user-${i}`);
  if (hostile) {
    ids[0] = users[0] = kHostile;
    ids[4] = users[1] = kLong;
  }
  return {
    name: hostile ? kHostile : name,
    path: `data/${name}`,
    runs: [],
    methods: [],
    statistics: {
      users: 29858,
      items: 40981,
      interactions: 1027370,
      density: 0.00084,
      parts: ["train", ...kParts].map((part, i) => ({
        name: part,
        users: 29858 - i,
        items: 40981 - 20 * i,
        interactions: 600000 / (1 + 4 * i),
        dkl: 0.51 - 0.1 * i,
        dkl_grouped: 0.45 - 0.1 * i,
      })),
    },
    popularity: {
      items: range(60).map((i) => [Math.round(1.2 ** i), 2000 / 1.14 ** i]),
      users: range(56).map((i) => [Math.round(1.2 ** i), 800 / 1.1 ** i]),
      lorenz: range(41).map((i) => [i / 40, (i / 40) ** 2.4]),
      gini: 0.41,
      decile_share: normalise(range(10).map((d) => Math.exp(-0.45 * d))),
      group_share: [0.72, 0.2, 0.08],
      slice_share: slices(0.15),
    },
    manifest: {
      format: "evenkeel-split",
      format_version: 1,
      protocol: "balanced",
      seed: 1,
      counts: { users: 29858, items: 40981 },
    },
    tests: ["test_id", "test_ood"],
    items: {
      id: ids,
      title: range(kItems).map((i) => (i === 3 ? "Three of a Kind" : "")),
      popularity: range(kItems).map((i) => 900 - 7 * i),
      group: range(kItems).map(group),
    },
    users: range(6).map((i) => ({
      id: users[i] ?? "",
      group: /** @type {Group} */ (Math.floor(i / 2)),
      popularity: 60 - 9 * i,
      positive: range(60 - 9 * i),
      held_out: range(8).map((j) => 70 + j),
      negative: range(400).map((j) => j % kItems),
      positives: 60 - 9 * i,
      held_outs: 8,
      negatives: 40913,
    })),
    explore: users.map((id, i) => ({
      id,
      group: /** @type {Group} */ (i % 3),
      popularity: 40,
      history: range(12).map((j) => (7 * j + i) % kItems),
      held_out: range(9).map((j) => (13 * j + i) % kItems),
      histories: 40,
      held_outs: 12,
    })),
    bias: {
      source: "Angles come from an extractor invented for this fixture.",
      items: side(5),
      users: side(9),
      nine: nine(),
    },
    front: { logged: "test_id", balanced: "test_ood", estimated: false, users: 40 },
    comparisons: [],
    merged_tests: [],
    main_test: "test_ood",
    verdict: null,
  };
}
