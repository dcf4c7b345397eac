"""In: nothing; a made-up model of Gowalla's size. Out: milliseconds of one user, one item and 1,000
new users, evenkeel and implicit in turns in one process.

    pip install . implicit && python bench/beside_implicit.py [ROUNDS]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import Any, Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as implicit asks for

import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from implicit.cpu.als import AlternatingLeastSquares  # noqa: E402

import evenkeel  # noqa: E402

USERS, ITEMS, DIM, EACH = 30_000, 41_000, 64, 28


def made_up(rng: np.random.Generator) -> sp.csr_matrix:
    """Histories with a long tail: what is used follows a power of its place."""
    share = 1.0 / np.arange(1, ITEMS + 1) ** 0.8
    items = rng.choice(ITEMS, size=USERS * EACH, p=share / share.sum())
    users = np.repeat(np.arange(USERS), EACH)
    matrix = sp.csr_matrix((np.ones(len(items), np.float32), (users, items)), (USERS, ITEMS))
    matrix.data[:] = 1
    return matrix


def times_of(calls: list[Callable[[], Any]]) -> list[float]:
    times = []
    for call in calls:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    rng = np.random.default_rng(1)
    matrix = made_up(rng)
    ours = evenkeel.Recommender(epochs=1, dim=DIM, shared_negatives=True, validation=0.0)
    ours.fit(matrix)
    theirs = AlternatingLeastSquares(factors=DIM, iterations=1)
    theirs.fit(matrix, show_progress=False)
    asked = rng.integers(0, USERS, 400).tolist()
    items = rng.integers(0, ITEMS, 400).tolist()
    some = matrix[rng.choice(USERS, 1000, replace=False)]
    rows = [matrix[user] for user in asked]
    # implicit's recalculate keeps YtY; both have prepared what they keep before the clock runs.
    tasks: dict[str, tuple[list[Callable[[], Any]], list[Callable[[], Any]]]] = {
        "recommend, one user": (
            [lambda u=u: ours.recommend(u, N=20) for u in asked],
            [lambda u=u, r=r: theirs.recommend(u, r, N=20) for u, r in zip(asked, rows)],
        ),
        "similar_items, one item": (
            [lambda i=i: ours.similar_items(i, N=20) for i in items],
            [lambda i=i: theirs.similar_items(i, N=20) for i in items],
        ),
        "fold-in, 1,000 users": (
            [lambda: ours.partial_fit_users(some)] * 5,
            [lambda: theirs.recalculate_user(np.arange(1000), some)] * 5,
        ),
        "fold-in, one user": (
            [lambda r=r: ours.partial_fit_users(r) for r in rows],
            [lambda r=r: theirs.recalculate_user(0, r) for r in rows],
        ),
    }
    print(f"{'ms: p50 of each round':26} {'evenkeel':>34}   {'implicit':>34}   fastest call")
    for name, (one, other) in tasks.items():
        one[0](), other[0]()
        found: tuple[list[float], list[float]] = ([], [])
        fastest = [float("inf"), float("inf")]
        for _ in range(rounds):
            for place, calls in enumerate((one, other)):
                times = times_of(calls)
                found[place].append(1e3 * float(np.median(times)))
                fastest[place] = min(fastest[place], 1e3 * min(times))
        told = ["  ".join(f"{value:6.3f}" for value in side) for side in found]
        best = "  ".join(f"{value:.3f}" for value in fastest)
        print(f"{name:26} {told[0]:>34}   {told[1]:>34}   {best}", flush=True)


if __name__ == "__main__":
    main()
