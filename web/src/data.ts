// What `evenkeel report` puts into the page, as written by src/report. In: nothing; out: the types
// of the JSON in <script type="application/json" id="report-data">.
//
// Conventions: a figure that could not be computed is null; lists are never null. Runs, items and
// users are named by their index. Angles between vectors are degrees; margins and bias angles (xi)
// are radians. Ids are untrusted text. Groups are always in the order head, mid, tail.

export interface ReportData {
  format: "evenkeel-report";
  version: 1;
  title: string;
  k: number; // length of the ranked lists
  data_sets: DataSet[]; // may be empty: then `notices` says why
  runs: Run[]; // in the order given; may be empty
  sweeps: Sweep[];
  notices: string[]; // sentences the reader must see: skipped folders, several data sets, ...
  skipped: Skipped[]; // folders that hold no readable run
  sampling: Sampled[]; // what was cut down to keep the page small
  environment: Environment;
}

export interface Skipped {
  path: string;
  reason: string;
}

export interface Sampled {
  what: string; // "items of the bias scatter of gowalla"
  shown: number;
  of: number;
  how: string; // one sentence
}

export interface Environment {
  evenkeel: string; // version
  compiler: string;
  simd: string;
  cpu: string; // that wrote the report; "" where unknown
  command: string; // the command that writes this report again
}

export type Group = 0 | 1 | 2; // head, mid, tail
export type Trio<T> = [T, T, T]; // by group
export type Slices<T> = [T, T, T, T]; // most popular 1 % of the items, next 4 %, next 15 %, others

// ---------------------------------------------------------------- data sets

export interface DataSet {
  name: string;
  path: string; // "" where unknown
  runs: number[]; // runs of this data set
  methods: Method[]; // runs that differ in nothing but their seed
  statistics: Statistics;
  popularity: Popularity;
  manifest: Record<string, unknown> | null; // manifest.json of a split folder
  tests: string[]; // parts with figures, without "valid"; may be empty
  items: ItemTable; // every item that something below names by index
  users: ChosenUser[]; // geometry is drawn for these; may be empty
  explore: ExploreUser[]; // may be empty
  bias: Bias | null; // null where no popularity extractor could be had
  front: FrontAxes | null; // null where there is nothing to measure, or no popularity to correct
  comparisons: Comparison[]; // pairs of methods, paired over users
  merged_tests: MergedTest[]; // not in `tests`: they hold the same pairs as another
  main_test: string; // least biased; "valid" without tests, "" without figures
  verdict: Verdict | null; // null where no method has figures
}

export interface MergedTest {
  name: string;
  same_as: string;
}

export interface Verdict {
  best: number; // method
  part: string;
  sentence: string;
  figures: VerdictFigure[]; // three, or fewer where something is unknown
  catalogue: string; // one line on popularity; "" where nothing is known
}

export interface VerdictFigure {
  value: string;
  label: string;
  note: string;
}

export interface Method {
  label: string; // "bc", or "bc (tau 0.1)" where the loss alone does not tell methods apart
  runs: number[]; // one per seed
  evaluations: MethodEvaluation[];
  finding: string; // one computed sentence
}

export interface MethodEvaluation {
  part: string;
  seeds: number;
  mean: Record<string, number>; // key as in Evaluation.metrics and Evaluation.exposure
  sd: Record<string, number | null>; // over seeds; null with one seed
}

export interface Statistics {
  users: number;
  items: number;
  interactions: number;
  density: number;
  parts: PartStatistics[]; // train first
}

export interface PartStatistics {
  name: string;
  users: number;
  items: number;
  interactions: number;
  dkl: number; // over items
  dkl_grouped: number; // over 50 popularity groups
}

export interface Popularity {
  // Rank (from 1) against training count, log-spaced sample of ranks: draw log-log.
  items: [rank: number, count: number][];
  users: [rank: number, count: number][];
  lorenz: [share_of_items: number, share_of_interactions: number][]; // ascending, as Exposure.lorenz
  gini: number; // of training consumption
  decile_share: number[]; // 10 numbers, most popular decile first; sum 1
  slice_share: Slices<number>; // of training interactions
  group_share: Trio<number>; // of training interactions
}

export interface ItemTable {
  id: string[]; // ids longer than 200 bytes are cut and end in an ellipsis
  title: string[]; // "" where one is not known; empty where no file of titles was given
  popularity: number[]; // training count
  group: Group[];
}

export interface ChosenUser {
  id: string;
  group: Group;
  popularity: number; // training items
  // Items whose points Run.geometry draws, in the same order.
  positive: number[]; // training items
  held_out: number[]; // items of validation and tests
  negative: number[]; // a sample of all others
  positives: number; // how many there are in all
  held_outs: number;
  negatives: number;
}

export interface ExploreUser {
  id: string;
  group: Group;
  popularity: number;
  history: number[]; // training items, most popular first; at most 50
  held_out: number[]; // items of validation and tests; at most 50
  histories: number; // training items in all
  held_outs: number; // held-out items in all
}

// ---------------------------------------------------------------- popularity bias of the data

export interface Bias {
  source: string; // sentence: which extractor the angles come from
  items: BiasSide;
  users: BiasSide;
  nine: NineGroups;
}

export interface BiasSide {
  // bias degree = mean of cos(xi) over the training pairs of the item (or user)
  pearson: number | null; // with popularity, over by_value: one point for each popularity value
  pearson_log: number | null; // the same with log(popularity)
  pearson_rows: number | null; // with popularity, over single items (or users)
  by_value: [popularity: number, mean_bias_degree: number][]; // what `pearson` is taken over
  points: [popularity: number, bias_degree: number][]; // single items (or users), a sample
  trend: [popularity: number, mean_bias_degree: number][]; // over all, in log-spaced bins
  count: number; // items (or users) in all
}

export interface NineGroups {
  // [user group][item group] of xi in radians, over training pairs; null where there is no pair
  mean: Trio<Trio<number | null>>;
  sd: Trio<Trio<number | null>>;
  count: Trio<Trio<number>>;
}

// ---------------------------------------------------------------- runs

export type RunState =
  | "ok"
  | "no-test" // figures of validation at most
  | "no-data" // the data is gone: geometry and exposure only
  | "no-model" // figures only
  | "diverged" // training ended in infinity or NaN
  | "unfinished"; // no result yet

export interface Run {
  label: string; // unique on the page
  method: string; // label of its Method
  path: string; // from where the report was written, or its last two names
  date: string; // when training ended, UTC; "" where unknown
  data_set: number;
  state: RunState;
  problem: string | null; // one sentence where state is not "ok"
  detailed: boolean; // false: only figures and curves, because there are many runs
  finding: string; // one computed sentence, "" where nothing can be said
  loss: string;
  encoder: string;
  score: string; // "cosine" or "dot"
  dim: number;
  seed: number;
  best_epoch: number | null;
  epochs: number | null;
  timing: Timing | null;
  threads: number | null; // that trained it; null for runs of older versions
  processor: string; // that trained it; "" where unknown
  peak_memory_bytes: number | null;
  chosen: Record<string, number>; // what the method chose on validation
  config: Record<string, string | number | boolean>; // fully resolved
  command: string; // trains this run again
  evaluations: Evaluation[]; // "valid" first
  training: EpochPoint[]; // thinned where there are many epochs
  exposure: Exposure | null;
  geometry: Geometry | null; // null for models without angles (most-pop)
  margins: Margins | null; // losses with margins only
  front: Front | null; // of one detailed run of each method
  shown: number[]; // by DataSet.items: lists that hold the item; empty when not detailed
  explore: TopList[]; // by DataSet.explore; empty when not detailed
}

export interface Timing {
  train_seconds: number;
  seconds_per_epoch: number;
  samples_per_second: number;
  evaluate_seconds: number;
}

export interface Evaluation {
  part: string; // "valid", "test_id", ...
  users: number;
  metrics: Record<string, number>; // "recall", "ndcg", "hr", "precision", "map", "mrr" at k
  intervals: Record<string, [low: number, high: number]>; // 95 %, over users; recall and ndcg; may be {}
  exposure: Record<string, number>; // "coverage", "gini", "mean_popularity", "tail_share" at k
  items: GroupMetrics | null; // only the group's test items are relevant
  user_groups: GroupMetrics | null; // only the group's users count
}

export type GroupMetrics = Trio<Record<string, number>>; // metrics as above, and "users"

export interface EpochPoint {
  epoch: number;
  loss: number;
  seconds: number;
  recall: number | null; // validation at 20, on epochs that evaluate
  ndcg: number | null;
  capped_share: number | null;
  best: boolean; // this epoch was the best so far
}

// Lists of k for every user of train, training items left out.
export interface Exposure {
  lorenz: [share_of_items: number, share_of_exposure: number][]; // items ascending by exposure
  gini: number;
  coverage: number;
  tail_share: number;
  mean_popularity: number;
  group_share: Trio<number>; // of exposure
  decile_share: number[]; // of exposure, most popular decile first
  slice_share: Slices<number>;
  lists: number; // users with training items
  lift: (number | null)[]; // decile_share / Popularity.decile_share
}

export interface Geometry {
  true_3d: boolean; // false: a projection that keeps the angle to the user exact
  users: UserAngles[]; // by DataSet.users
  bin_degrees: number; // width of a histogram bin; bins start at 0
  // Means over all users of a group; positives are training pairs, negatives sampled.
  positive_degrees: Trio<number | null>;
  negative_degrees: Trio<number | null>;
  // Mean squared distances of unit vectors (compact = small, dispersed = large), by group.
  user_compactness: Trio<number | null>;
  item_compactness: Trio<number | null>;
  user_dispersion: Trio<number | null>;
  item_dispersion: Trio<number | null>;
  compactness: number | null; // over all users
  dispersion: number | null;
  norms: Norms;
}

export interface UserAngles {
  mean_positive: number | null; // degrees, over all of the user's training items
  mean_held_out: number | null;
  mean_negative: number | null;
  // Shares of the items in each bin of bin_degrees from 0 to 180; each list sums to 1 or is all 0.
  positive: number[];
  held_out: number[];
  negative: number[];
  // Unit vectors with the user at [0, 0, 1]; items as in ChosenUser, in the same order.
  sphere: {
    positive: Point[];
    held_out: Point[];
    negative: Point[];
  };
}

export type Point = [x: number, y: number, z: number];

export interface Norms {
  points: [popularity: number, norm: number][]; // a sample of items
  pearson: number | null; // of the norm with log popularity, over all items
}

export interface Margins {
  kind: string; // "angle", "sigmoid", "constant"
  strength: number;
  bin_radians: number;
  histogram: number[]; // share of training pairs by lambda * m, bins from 0
  mean: number;
  sd: number;
  capped_share: number; // training pairs whose margin exceeds pi - theta with the final vectors
  hardest: HardPair[]; // largest margins of each item group; empty for a constant margin
  nine: NineGroups | null; // of xi; null for a constant margin
  pearson_items: number | null; // of this run's own extractor
  pearson_users: number | null;
}

// A training pair that popularity cannot explain. Ranks are among items the user does not have.
export interface HardPair {
  user: string; // id
  user_group: Group;
  item: number; // index into DataSet.items
  margin: number; // radians
  rank: number | null;
  softmax_rank: number | null; // under the first softmax run of the data set
}

export interface TopList {
  items: number[]; // best first; indices into DataSet.items
  hits: number[]; // positions in `items` that are held-out items of the user
}

// ---------------------------------------------------------------- popularity correction

export interface FrontAxes {
  logged: string; // the part most like the log
  balanced: string; // the test that shows items alike
  estimated: boolean; // both are one part: its balanced figure is an estimate
  users: number; // the first of DataSet.explore have pools
}

export interface Front {
  temperature: number;
  debias: number; // the strength that the model was stored with
  area: number; // under the front
  logged_users: number; // measured: all, or a sample of many
  balanced_users: number;
  list_users: number; // with a list, for exposure
  stops: FrontStop[]; // ascending, from 0
  pools: ListPool[]; // by DataSet.explore
}

// What the correction of one strength does.
export interface FrontStop {
  debias: number;
  logged: number; // Recall
  balanced: number;
  logged_ndcg: number;
  balanced_ndcg: number; // 0 where it is estimated
  logged_items: Trio<number>; // Recall of head, mid and tail items
  balanced_items: Trio<number>;
  gini: number; // of exposure, as in Exposure
  coverage: number;
  mean_popularity: number;
  group_share: Trio<number>;
  slice_share: Slices<number>;
  lift: (number | null)[];
}

// The list of strength G: the k best by scores[n] - G log(popularity + 1).
export interface ListPool {
  items: number[]; // every item that is in the list at some strength
  scores: number[];
  hits: number[]; // positions in `items` that are held-out items of the user
}

// a - b over the users both were tested on; a user's figure is its mean over seeds.
export interface Comparison {
  a: number; // methods
  b: number;
  part: string;
  metric: "recall" | "ndcg";
  seeds: number; // of the method with fewer
  users: number;
  difference: number;
  low: number; // 95 % interval
  high: number;
  p: number; // paired t-test, two-sided, not yet corrected for being many
  p_signed_rank: number; // Wilcoxon's
}

// ---------------------------------------------------------------- sweeps

// Runs of one data set that differ in one option (and the seed) alone.
export interface Sweep {
  data_set: number;
  method: string; // loss and what else is fixed, for the title
  key: string; // the option, "tau"
  numeric: boolean;
  points: SweepPoint[]; // ascending where numeric
}

export interface SweepPoint {
  value: string | number | boolean;
  runs: number[];
}
