// In: the key of a metric. Out: what it means in a sentence, for whoever rests the pointer on it.
import { metricName } from "./format";

const kMeanings: Record<string, string> = {
  recall: "Share of a user's test items that are in its list, mean over users. Higher is better.",
  ndcg: "Like Recall, but hits near the top of the list count more, mean over users. Higher is better.",
  hr: "Share of users with at least one hit in their list. Higher is better.",
  precision: "Share of a list that are hits, mean over users. Higher is better.",
  map: "Mean over hits of the precision at their rank, then over users. Higher is better.",
  mrr: "1 / rank of the first hit, mean over users. Higher is better.",
  balanced_recall:
    "Recall with every pair weighted by 1 / popularity: an estimate of the Recall on a test that " +
    "is even over items. Higher is better.",
  coverage: "Share of the catalogue that is in the list of at least one user, over all users.",
  gini: "How unequally list places fall on items, over all users: 0 all alike, 1 one item takes all.",
  mean_popularity: "ARP: mean training count of a listed item. Lower is less popular.",
  tail_share: "APLT: share of list places that tail items (the rarest third) take.",
  aclt: "ACLT: tail items in a list, mean over users.",
  pop_reo:
    "PopREO: how unevenly relevant items of head, mid and tail get listed (standard deviation / " +
    "mean of their rates). 0 is even.",
  pop_rsp:
    "PopRSP: how unevenly items of head, mid and tail get listed, relevant or not (standard " +
    "deviation / mean of their rates). 0 is even.",
  novelty: "Mean surprise of a listed item in bits: -log2 of the share of users who have it.",
  miscalibration:
    "Distance between the head, mid and tail shares of a user's history and of its list (Jensen-" +
    "Shannon), mean over users: 0 the same, 1 nothing in common.",
};

const kWords: Record<string, string> = {
  "head, mid, tail":
    "The most popular third of the items (or most active users), the next, the rest.",
  "least biased test": "The test whose items are nearest to evenly distributed over the catalogue.",
  "popularity correction G":
    "Lists rank by score / T - G log(popularity + 1): 0 as logged, 1 all of the log's popularity taken out.",
  front: "What a model reaches on both tests under ever more correction.",
  "area under the front": "One figure for a whole front: further up and right gives more area.",
  "beyond chance":
    "p below 0.05 in a paired t-test over users, after Holm's correction for many comparisons.",
  lift: "Share of list places of a tenth of the items over its share of training interactions.",
  "Lorenz curve": "Share of all list places that the least shown x % of the items take.",
  "bias angle, bias degree":
    "The angle between what popularity alone says of a user and of an item, and its cosine: near 1, popularity predicts the pair.",
  margin: "How much nearer a user must be to its item than to others before BC loss is content.",
  compactness: "Mean squared distance of a user to the centre of its own items: small is compact.",
  dispersion: "Mean squared distance of a user to items it did not take: large is dispersed.",
};

export const words = (): [string, string][] => [
  ...Object.entries(kMeanings).map(([key, text]): [string, string] => [metricName(key), text]),
  ...Object.entries(kWords),
];

export const meaning = (key: string): string | undefined => kMeanings[key];
