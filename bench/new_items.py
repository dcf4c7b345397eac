"""In: interactions. Out: Recall@20 of items that training never saw, folded in from half of their
users, beside that of the same items trained from the same half; the other half of the users asks.

    pip install . && python bench/new_items.py FILE [EPOCHS] [SEEDS]

FILE has adjacency lines (user item item ...), or a user and an item in each line where it ends in
.tsv. "new" ranks the new items alone, "all" the whole catalogue without what a user has; "places"
is the share of the places of the latter that new items take. Read "all" only with "places" beside
it: new items that stand before all others have a high Recall at the expense of the others.
"""

from __future__ import annotations

import sys
from typing import Iterator

import numpy as np
import scipy.sparse as sp

import evenkeel

SHARE, FEWEST, K = 0.05, 4, 20


def pairs_of(path: str) -> Iterator[tuple[str, str]]:
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            user, *items = line.split()
            for item in items[:1] if path.endswith(".tsv") else items:
                if item.isdigit():
                    yield user, item


def matrix_of(path: str) -> sp.csr_matrix:
    users, items = zip(*pairs_of(path))
    rows = np.unique(users, return_inverse=True)[1]
    columns = np.unique(items, return_inverse=True)[1]
    matrix = sp.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)))
    matrix.data[:] = 1
    return matrix


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def recalls(
    users: np.ndarray, items: np.ndarray, seen: sp.csr_matrix, asked: sp.csr_matrix, new: np.ndarray
) -> tuple[float, float, float]:
    """Of the users that have something in `asked`: mean Recall@K among new items and among all, and
    the share of the places in the latter lists that new items take."""
    old = np.setdiff1d(np.arange(len(items)), new)
    found: list[tuple[float, float, float]] = []
    for user in np.flatnonzero(np.diff(asked.indptr)):
        scores = items @ users[user]
        scores[seen[user].indices] = -np.inf
        wanted = asked[user].indices
        best = np.argpartition(-scores, K)[:K]
        scores[old] = -np.inf
        best_new = np.argpartition(-scores, K)[:K]
        hits = [float(np.isin(wanted, list_).sum() / min(K, len(wanted))) for list_ in (best_new, best)]
        found.append((hits[0], hits[1], float(np.isin(best, new).mean())))
    means = np.mean(found, axis=0)
    return float(means[0]), float(means[1]), float(means[2])


def one_seed(matrix: sp.csr_matrix, epochs: int, seed: int) -> list[tuple[float, float, float]]:
    rng = np.random.default_rng(seed)
    by_item = matrix.T.tocsr()
    often = np.flatnonzero(np.diff(by_item.indptr) >= FEWEST)
    new = np.sort(rng.choice(often, int(SHARE * matrix.shape[1]), replace=False))
    given, asked = [], []
    for item in new:
        users = rng.permutation(by_item[item].indices)
        half = len(users) // 2
        given += [(user, item) for user in users[:half]]
        asked += [(user, item) for user in users[half:]]

    def of(pairs: list[tuple[int, int]]) -> sp.csr_matrix:
        rows, columns = np.array(pairs).T
        return sp.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), matrix.shape)

    first, rest = of(given), of(asked)
    without = (matrix - first - rest).tocsr()
    without.eliminate_zeros()
    both = (without + first).tocsr()
    answers = []
    for name, train in (("folded in", without), ("trained", both)):
        model = evenkeel.Recommender(epochs=epochs, shared_negatives=True, validation=0.0)
        model.fit(train)
        items = np.array(model.item_factors)
        if name == "folded in":
            items[new] = model.partial_fit_items(first.T.tocsr()[new])
        found = recalls(unit(np.array(model.user_factors)), unit(items), both, rest, new)
        print(f"seed {seed} {name:10}", "new {:.4f}  all {:.4f}  places {:.4f}".format(*found), flush=True)
        answers.append(found)
    return answers


def main() -> None:
    matrix = matrix_of(sys.argv[1])
    epochs = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    print(f"{matrix.shape[0]} users, {matrix.shape[1]} items, {matrix.nnz} pairs, {epochs} epochs")
    print(f"{SHARE:.0%} of the items are new; Recall@{K}")
    found = np.array([one_seed(matrix, epochs, seed) for seed in range(1, seeds + 1)]).mean(axis=0)
    for place, name in enumerate(("new", "all", "places")):
        print(f"{name}: folded in {found[0][place]:.4f}, trained {found[1][place]:.4f}")


if __name__ == "__main__":
    main()
