// In: the key of a metric. Out: what it means in a sentence, for whoever rests the pointer on it.

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

export const meaning = (key: string): string | undefined => kMeanings[key];
