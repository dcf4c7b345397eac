"""Writes tests/golden/metrics.json: ranked lists of a score table and their metrics, by the formulas
of docs/metrics.md in plain Python, without a line of the engine.

In: nothing; scores come from a seed and are multiples of 1/256, so that a float holds them.
Out: {"scores", "test", "results": [{"k", "users", "metrics", "top"}]}.

    python3 make_metrics.py
"""

import json
import math
import pathlib
import random

USERS, ITEMS, SEED = 8, 17, 19
CUTS = (1, 4, 6)


def of_list(top, relevant, k):
    ranks = [rank for rank, item in enumerate(top, 1) if item in relevant]
    gain = sum(1 / math.log2(rank + 1) for rank in ranks)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
    precision_at_hits = sum((n + 1) / rank for n, rank in enumerate(ranks))
    return {
        "recall": len(ranks) / len(relevant),
        "ndcg": gain / ideal,
        "hit_ratio": 1.0 if ranks else 0.0,
        "precision": len(ranks) / k,
        "map": precision_at_hits / min(k, len(relevant)),
        "mrr": 1 / ranks[0] if ranks else 0.0,
    }


def main():
    rng = random.Random(SEED)
    # All different within a user, so that no order is left to chance.
    scores = [[n / 256 for n in rng.sample(range(-400, 400), ITEMS)] for _ in range(USERS)]
    train, test = {}, {}
    for user in range(USERS):
        items = rng.sample(range(ITEMS), 8)
        train[user] = set(items[:4])
        test[user] = sorted(items[4 : 4 + user % 5])  # users 0 and 5 have none
    results = []
    for k in CUTS:
        top = {}
        for user in (user for user in range(USERS) if test[user]):
            free = [item for item in range(ITEMS) if item not in train[user]]
            top[str(user)] = sorted(free, key=lambda item: -scores[user][item])[:k]
        each = [of_list(top[user], set(test[int(user)]), k) for user in top]
        means = {name: sum(one[name] for one in each) / len(each) for name in each[0]}
        results.append({"k": k, "users": len(each), "metrics": means, "top": top})
    data = {
        "about": "by make_metrics.py; items of a user that outrank its longest list were trained",
        "scores": scores,
        "test": {str(user): items for user, items in test.items() if items},
        "results": results,
    }
    (pathlib.Path(__file__).parent / "metrics.json").write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
