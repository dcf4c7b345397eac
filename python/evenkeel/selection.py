"""In: pairs or a table of interactions. Out: folds and scores for scikit-learn's searches.

Rows of pairs and tables are interactions, so a fold of them holds some of everybody's. The rows of
a matrix are users: a model knows nobody of another fold, which is why a matrix is refused here.
"""

from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

from ._errors import ConfigError, DataError
from ._inputs import id_columns, is_matrix
from ._keywords import unknown_keyword
from ._options import whole_number
from .functions import evaluate, metrics, split


class Scorer:
    """What `scorer` gives: called with a model and held-out interactions, it returns a figure."""

    def __init__(self, k: int, metric: str, num_threads: int) -> None:
        self.k, self.metric, self.num_threads = k, metric, num_threads

    def __call__(self, model: Any, X: Any, y: Any = None) -> float:
        _refuse_matrix(X, "the score")
        figures = evaluate(model, X, k=self.k, groups=False, num_threads=self.num_threads)
        return float(figures[f"{self.metric}@{self.k}"])

    def __repr__(self) -> str:
        return f"scorer(k={self.k}, metric={self.metric!r})"


def scorer(k: int = 20, metric: str = "recall", *, num_threads: int = 0) -> Scorer:
    """For ``scoring=`` of scikit-learn: a figure of `evaluate` on the fold that is held out.

    Users and items that only the fold knows are left out, as everywhere.
    """
    known = [name[:-2] for name in metrics([[0]], [[0]], k=1) if name.endswith("@1")]
    if metric not in known:
        raise ConfigError(unknown_keyword("metric", metric, known))
    return Scorer(whole_number("k", k), metric, num_threads)


class InteractionKFold:
    """For ``cv=`` of scikit-learn: folds of interactions, each user's spread evenly over them.

    A pair that the log holds twice stays in one fold, so that nothing that is tested was trained
    on. X is an array of pairs or a table (`user_column`, `item_column` where they have no usual
    name).
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        random_state: int = 1,
        user_column: Optional[str] = None,
        item_column: Optional[str] = None,
    ) -> None:
        self.n_splits = whole_number("n_splits", n_splits, 2)
        self.random_state = random_state
        self.user_column, self.item_column = user_column, item_column

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(rows of X to train on, rows to test on), one pair of arrays a fold."""
        _refuse_matrix(X, "InteractionKFold")
        users, items = (_codes(column) for column in self._columns(X))
        pairs, first, same = np.unique(
            users * (items.max(initial=0) + 1) + items, return_index=True, return_inverse=True
        )
        if len(pairs) < self.n_splits:
            raise DataError(f"{len(pairs)} interactions do not make {self.n_splits} folds")
        fold = self._dealt(users[first])[same]
        for number in range(self.n_splits):
            yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)

    def _columns(self, X: Any) -> tuple[Any, Any]:
        return id_columns(X, vars(self))

    def _dealt(self, users: np.ndarray) -> np.ndarray:
        """The fold of each pair: a user's pairs in random order, dealt from a random fold on."""
        random = np.random.default_rng(self.random_state)
        order = np.lexsort((random.random(len(users)), users))
        counts = np.bincount(users)
        place = np.arange(len(users)) - np.repeat(np.cumsum(counts) - counts, counts)
        start = random.integers(self.n_splits, size=len(counts))
        fold = np.empty(len(users), dtype=np.int64)
        fold[order] = (place + start[users[order]]) % self.n_splits
        return fold

    def __repr__(self) -> str:
        return f"InteractionKFold(n_splits={self.n_splits}, random_state={self.random_state})"


class ProtocolSplit:
    """For ``cv=`` of scikit-learn: one cut by a protocol of `split`, to choose settings for a goal.

    ``balanced`` tests on interactions that are even over items, ``temporal`` on the latest,
    ``leave-one-out`` on one (the last, where there are times) of each user's. Train and validation
    of the protocol train; `part` names the test where there are several (default: the last).
    """

    def __init__(
        self,
        protocol: str = "balanced",
        *,
        part: Optional[str] = None,
        random_state: int = 1,
        user_column: Optional[str] = None,
        item_column: Optional[str] = None,
        time_column: Optional[str] = None,
    ) -> None:
        self.protocol, self.part, self.random_state = protocol, part, random_state
        self.user_column, self.item_column = user_column, item_column
        self.time_column = time_column

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return 1

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(rows of X to train on, rows to test on), once."""
        _refuse_matrix(X, "ProtocolSplit")
        columns = dict(user_column=self.user_column, item_column=self.item_column)
        data = split(
            X,
            self.protocol,
            random_state=self.random_state,
            time_column=self.time_column,
            **columns,
        )
        tests = [name for name in data.parts if name.startswith("test")]
        part = tests[-1] if self.part is None else self.part
        if part not in tests:
            raise ConfigError(unknown_keyword("part", part, tests))
        users, items = (
            _rows(ids, column)
            for ids, column in zip((data.user_ids, data.item_ids), id_columns(X, columns))
        )
        held = np.asarray(data[part][users, items]).ravel() > 0
        others = sum(data[name] for name in tests if name != part) if len(tests) > 1 else None
        train = ~held
        if others is not None:
            train &= np.asarray(others[users, items]).ravel() == 0
        yield np.flatnonzero(train), np.flatnonzero(held)

    def __repr__(self) -> str:
        return f"ProtocolSplit({self.protocol!r}, random_state={self.random_state})"


def _rows(ids: np.ndarray, column: Any) -> np.ndarray:
    """Where the values of a column are among the ids."""
    places = {known: row for row, known in enumerate(ids.tolist())}
    return np.array([places[value] for value in np.asarray(column).tolist()], np.int64)


def _codes(values: Any) -> np.ndarray:
    """0, 1, ... for the distinct values."""
    array = np.asarray(values)
    if array.dtype.kind == "O":
        numbers: dict[Any, int] = {}
        return np.array([numbers.setdefault(v, len(numbers)) for v in array.tolist()], np.int64)
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def _refuse_matrix(data: Any, what: str) -> None:
    if is_matrix(data):
        raise DataError(
            f"{what} takes interactions and the rows of a matrix are users; give (user, item) "
            "pairs or a table, or measure with ek.evaluate"
        )
