// In: how many methods, seeds and data sets. Out: a made-up report for the tests of the page.
// Every number here is invented: shapes are plausible, values mean nothing.

import { normalise, numbers, range, slices, trio } from "./numbers.mjs";
import { dataSet, kHostile, kItems, kParts, nine } from "./fixture_data.mjs";
import { compared, front, verdict } from "./fixture_dial.mjs";

export { kHostile, kLong } from "./fixture_data.mjs";

/** @typedef {import("../src/data").ReportData} ReportData */
/** @typedef {import("../src/data").Run} Run */
/** @typedef {import("../src/data").DataSet} DataSet */
/** @typedef {import("../src/data").Point} Point */
/** @typedef {import("../src/data").Group} Group */

const kLosses = ["bpr", "softmax", "ips-cn", "bc", "bce", "ccl", "macr", "cause"];

/** Unit vectors around the user with angles near `mean` degrees. @returns {Point[]} */
function around(
  /** @type {() => number} */ random,
  /** @type {number} */ n,
  /** @type {number} */ mean,
) {
  return range(n).map(() => {
    const angle =
      (Math.min(175, Math.max(3, mean + 25 * (random() + random() - 1))) * Math.PI) / 180;
    const turn = 2 * Math.PI * random();
    return [Math.sin(angle) * Math.cos(turn), Math.sin(angle) * Math.sin(turn), Math.cos(angle)];
  });
}

const bell = (/** @type {number} */ centre, /** @type {number} */ width, n = 36) =>
  normalise(range(n).map((i) => Math.exp(-(((i * 5 + 2.5 - centre) / width) ** 2))));

/** @returns {import("../src/data").Geometry} */
function geometry(
  /** @type {() => number} */ random,
  /** @type {number} */ skill,
  /** @type {DataSet} */ set,
) {
  const users = set.users.map((u) => {
    const near = 70 - 35 * skill + 6 * u.group;
    const far = 85 + 10 * skill;
    return {
      mean_positive: near,
      mean_held_out: near + 9,
      mean_negative: far,
      positive: bell(near, 14),
      held_out: bell(near + 9, 18),
      negative: bell(far, 22),
      sphere: {
        positive: around(random, u.positive.length, near),
        held_out: around(random, u.held_out.length, near + 9),
        negative: around(random, u.negative.length, far),
      },
    };
  });
  return {
    true_3d: true,
    users,
    bin_degrees: 5,
    positive_degrees: trio((g) => 68 - 30 * skill + 5 * g),
    negative_degrees: trio((g) => 86 + 5 * skill - g),
    user_compactness: trio((g) => 0.7 - 0.3 * skill + 0.05 * g),
    item_compactness: trio((g) => 0.8 - 0.2 * skill + 0.04 * g),
    user_dispersion: trio((g) => 1.6 + 0.3 * skill - 0.05 * g),
    item_dispersion: trio((g) => 1.7 + 0.2 * skill - 0.03 * g),
    compactness: 0.7 - 0.3 * skill,
    dispersion: 1.6 + 0.3 * skill,
    norms: {
      points: range(150).map((i) => [
        1 + (i * i) / 20,
        0.6 + ((1 - skill) * Math.log(2 + i)) / 5 + 0.1 * random(),
      ]),
      pearson: 0.9 - 0.6 * skill,
    },
  };
}

/** @returns {import("../src/data").Exposure} */
function exposure(/** @type {number} */ skill, /** @type {DataSet} */ set) {
  const share = normalise(range(10).map((d) => Math.exp(-d * (0.9 - 0.5 * skill))));
  const bend = 6 - 3 * skill;
  return {
    lorenz: range(41).map((i) => [i / 40, (i / 40) ** bend]),
    gini: (bend - 1) / (bend + 1),
    coverage: 0.3 + 0.5 * skill,
    tail_share: 0.02 + 0.08 * skill,
    mean_popularity: 90 - 40 * skill,
    group_share: trio(
      (g) => normalise([0.9 - 0.25 * skill, 0.08 + 0.15 * skill, 0.02 + 0.1 * skill])[g] ?? 0,
    ),
    decile_share: share,
    slice_share: slices(0.3 - 0.1 * skill),
    lists: 29858,
    lift: share.map((s, i) => s / (set.popularity.decile_share[i] ?? 1)),
  };
}

/** @returns {import("../src/data").Evaluation} */
function evaluation(
  /** @type {string} */ part,
  /** @type {number} */ skill,
  /** @type {() => number} */ random,
) {
  const scale = part === "test_ood" ? 0.25 + 0.3 * skill : 1;
  const recall = (0.1 + 0.05 * skill + 0.004 * random()) * scale;
  const of = (/** @type {number} */ r) => ({
    recall: r,
    ndcg: 0.7 * r,
    hr: 2.2 * r,
    precision: 0.2 * r,
    map: 0.3 * r,
    mrr: 0.9 * r,
  });
  return {
    part,
    users: 4321,
    metrics: of(recall),
    intervals: {
      recall: [recall - 0.004, recall + 0.004],
      ndcg: [0.7 * recall - 0.003, 0.7 * recall + 0.003],
    },
    exposure: {
      coverage: 0.3 + 0.5 * skill,
      gini: 0.85 - 0.25 * Math.sin(2.4 * skill) + 0.02 * random(),
      mean_popularity: 90 - 40 * skill,
      tail_share: 0.02 + 0.08 * skill,
      balanced_recall: 0.4 * recall,
      aclt: 0.4 + 1.6 * skill,
      pop_reo: 0.9 - 0.4 * skill,
      pop_rsp: 1.1 - 0.4 * skill,
      novelty: 5 + 2 * skill,
      miscalibration: 0.4 - 0.2 * skill,
    },
    items: trio((g) => ({
      ...of(recall * (1.5 - (0.65 - 0.25 * skill) * g)),
      users: 4000 - 900 * g,
    })),
    user_groups: trio((g) => ({ ...of(recall * (0.9 + 0.1 * g)), users: 1440 })),
  };
}

/** @returns {Run} */
function run(
  /** @type {{ label: string, loss: string, seed: number, data_set: number, skill: number, set: DataSet }} */ o,
) {
  const random = numbers(17 * o.seed + Math.round(1000 * o.skill) + 3);
  const bc = o.loss === "bc";
  const epochs = 24 + Math.round(10 * o.skill);
  return {
    label: `${o.label} seed ${o.seed}`,
    method: o.label,
    path: `runs/${o.loss}-${o.seed}`,
    date: "2026-01-31 12:00",
    data_set: o.data_set,
    state: "ok",
    problem: null,
    detailed: true,
    finding: "",
    loss: o.loss,
    encoder: "lightgcn",
    score: "cosine",
    dim: 3,
    seed: o.seed,
    best_epoch: epochs - 6,
    epochs,
    timing: {
      train_seconds: 40 + 30 * o.skill,
      seconds_per_epoch: 1.4 + o.skill,
      samples_per_second: 2.1e5,
      evaluate_seconds: 0.8,
    },
    threads: 4,
    processor: "A Processor 9000",
    peak_memory_bytes: 3.1e8,
    chosen: {},
    config: { loss: o.loss, tau: 0.1, seed: o.seed, dim: 3, lr: 0.001, encoder: "lightgcn" },
    command:
      `evenkeel train market --loss ${o.loss} --dim 3 --seed ${o.seed} --out ` +
      `runs/${o.loss}-${o.seed}`,
    evaluations: kParts.map((part) => evaluation(part, o.skill, random)),
    training: range(epochs).map((e) => ({
      epoch: e + 1,
      loss: 4 * Math.exp(-e / 8) + 1 + 0.03 * random(),
      seconds: 1.4 + o.skill + 0.1 * random(),
      recall: e % 2 ? (0.1 + 0.05 * o.skill) * (1 - Math.exp(-(e + 1) / 5)) : null,
      ndcg: null,
      capped_share: bc ? 0.2 * Math.exp(-e / 4) : null,
      best: false,
    })),
    exposure: exposure(o.skill, o.set),
    geometry: geometry(random, o.skill, o.set),
    margins: bc
      ? {
          kind: "angle",
          strength: 0.3,
          bin_radians: 0.02,
          histogram: bell(90, 40, 30),
          mean: 0.36,
          sd: 0.09,
          capped_share: 0.012,
          hardest: trio((g) => ({
            user: `user-${g}`,
            user_group: g,
            item: 45 * g,
            margin: 0.9 - 0.1 * g,
            rank: 12 + g,
            softmax_rank: 40 - 20 * g,
          })),
          nine: nine(),
          pearson_items: 0.77,
          pearson_users: 0.66,
        }
      : null,
    front: front(random, o.skill, o.set),
    shown: range(kItems).map((i) => 9000 - 70 * i),
    explore: o.set.explore.map((u) => {
      const items = range(20).map((i) => i * 6 + Math.floor(random() * 6));
      return { items, hits: items.flatMap((item, i) => (u.held_out.includes(item) ? [i] : [])) };
    }),
  };
}

/**
 * @param {{ methods?: number, seeds?: number, sets?: string[], hostile?: boolean, detailed?: number }} [options]
 * @returns {ReportData}
 */
export function makeReport({
  methods = 4,
  seeds = 1,
  sets = ["fixture market"],
  hostile = false,
  detailed = Infinity,
} = {}) {
  /** @type {ReportData} */
  const report = {
    format: "evenkeel-report",
    version: 1,
    title: hostile ? kHostile : "A fixture: four losses on an invented market",
    k: 20,
    data_sets: [],
    runs: [],
    sweeps: [],
    notices: sets.length > 1 ? ["The runs come from several data sets and are shown apart."] : [],
    skipped: [],
    sampling: [
      {
        what: "items of the bias scatter",
        shown: 400,
        of: 40981,
        how: "An even sample over ranks of popularity.",
      },
    ],
    environment: {
      evenkeel: "0.0-fixture",
      compiler: "none",
      simd: "none",
      cpu: "a fixture's processor",
      command: "evenkeel report runs/* --out report.html",
    },
  };
  sets.forEach((name, s) => {
    const set = dataSet(name, hostile);
    report.data_sets.push(set);
    for (const m of range(methods)) {
      const loss = kLosses[m % kLosses.length] ?? "bc";
      const label =
        methods > kLosses.length ? `${loss} (tau ${(0.05 + 0.01 * m).toFixed(2)})` : loss;
      const skill = methods === 1 ? 0.5 : m / (methods - 1);
      const runs = range(seeds).map(
        (seed) =>
          report.runs.push(run({ label, loss, seed: seed + 1, data_set: s, skill, set })) - 1,
      );
      set.runs.push(...runs);
      set.methods.push(method(report, label, runs));
    }
    set.comparisons = compared(set);
    set.verdict = verdict(set);
    if (methods > kLosses.length)
      report.sweeps.push({
        data_set: s,
        method: "bc",
        key: "tau",
        numeric: true,
        points: set.runs.slice(0, 6).map((r, i) => ({ value: 0.05 + 0.05 * i, runs: [r] })),
      });
  });
  report.runs.slice(detailed).forEach((r) =>
    Object.assign(r, {
      detailed: false,
      exposure: null,
      geometry: null,
      margins: null,
      front: null,
      shown: [],
      explore: [],
    }),
  );
  return report;
}

/** @returns {import("../src/data").Method} */
function method(
  /** @type {ReportData} */ report,
  /** @type {string} */ label,
  /** @type {number[]} */ runs,
) {
  const evaluations = kParts.map((part) => {
    const rows = runs
      .map((r) => report.runs[r]?.evaluations.find((e) => e.part === part))
      .filter((e) => e !== undefined);
    const keys = Object.keys({ ...rows[0]?.metrics, ...rows[0]?.exposure });
    const of = (/** @type {string} */ key) =>
      rows.map((e) => e.metrics[key] ?? e.exposure[key] ?? 0);
    return {
      part,
      seeds: runs.length,
      mean: Object.fromEntries(
        keys.map((key) => [key, of(key).reduce((a, b) => a + b, 0) / runs.length]),
      ),
      sd: Object.fromEntries(keys.map((key) => [key, runs.length > 1 ? 0.002 : null])),
    };
  });
  return {
    label,
    runs,
    evaluations,
    finding:
      `${label} reaches an invented Recall@20 of ` +
      `${evaluations[1]?.mean.recall?.toFixed(4)} on test_id, in this fixture.`,
  };
}
