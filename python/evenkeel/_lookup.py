"""In: a model and ids, or rows and scores. Out: the rows of the ids, the ids of the rows."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._errors import ConfigError, DataError, UnknownIdError
from ._inputs import id_list, is_one
from ._options import whole_number
from .dataset import id_array

Ranking = tuple["np.ndarray[Any, np.dtype[Any]]", "np.ndarray[Any, np.dtype[np.float32]]"]

_MOST_PLACES = 100_000_000  # of lists with empty places: 0.8 GB of rows and scores


class Explanation(NamedTuple):
    """Why an item is recommended: its score, and what each of the user's items adds to it."""

    score: float
    ids: np.ndarray
    contributions: np.ndarray


_KNOWN_BY = {"rows": ", known by row", "int": ", known by number", "str": ", known by text"}


class Lookup:
    """The ids of a model; `side` is user or item.

    A matrix gave rows, pairs and tables whole numbers or text, and each is found by its like only.
    A file knows text alone, so 5 and "5" both find what a file called 5.
    """

    def __init__(self, model: _core.Model) -> None:
        self._model = model
        self._cache: dict[str, np.ndarray] = {}
        self._kinds: dict[str, str] = {"user": model.user_kind, "item": model.item_kind}
        users, items = model.shape
        self._sizes: dict[str, int] = {"user": users, "item": items}

    def of(self, side: str) -> np.ndarray:
        """The id of every row."""
        if side not in self._cache:
            found = self._model.user_ids() if side == "user" else self._model.item_ids()
            ids = id_array(found)
            self._cache[side] = ids.astype(np.int32) if self.kind(side) == "rows" else ids
        return self._cache[side]

    def kind(self, side: str) -> str:
        return self._kinds[side]

    def size(self, side: str) -> int:
        return self._sizes[side]

    def row(self, side: str, one: Any) -> int:
        """Where this id is."""
        if type(one) is int and self._kinds[side] == "rows" and 0 <= one < self._sizes[side]:
            return one
        return int(self.rows(side, [one])[0])

    def rows(self, side: str, ids: Any) -> np.ndarray:
        """Where these ids are; one that is unknown is an error."""
        rows, asked = self.found(side, ids)
        if (rows < 0).any():
            raise UnknownIdError(
                f"{side} {asked[rows < 0].tolist()[0]!r} is not in the model ({self.size(side)} "
                f"{side}s{_KNOWN_BY.get(self.kind(side), '')}); check the id, train again with its "
                "interactions, or make a vector with partial_fit_users"
            )
        return rows

    def known_rows(self, side: str, ids: Any) -> np.ndarray:
        """The same without those that are unknown."""
        rows, _ = self.found(side, ids)
        return rows[rows >= 0]

    def found(self, side: str, ids: Any) -> tuple[np.ndarray, np.ndarray]:
        """Where these ids are, -1 for unknown ones, and the ids as an array."""
        kind, size = self.kind(side), self.size(side)
        asked = id_list(ids, f"{side}s")
        if kind == "rows" and asked.dtype.kind in "iu":
            rows = asked.astype(np.int64)
            rows[(rows < 0) | (rows >= size)] = -1
        else:
            find = self._model.user_rows if side == "user" else self._model.item_rows
            rows = find(asked.tolist())
        return rows, asked

    def some(
        self, ids: Any, what: str, skip: bool = False, side: str = "item"
    ) -> Optional[np.ndarray]:
        """Rows of ids that hold for everybody who asks; None for None. `skip` leaves out what is
        unknown."""
        if ids is None:
            return None
        try:
            listed = id_list([ids] if is_one(ids) else ids, what)
        except DataError as error:
            raise DataError(f"{error} that holds for every user asked for") from None
        return self.known_rows(side, listed) if skip else self.rows(side, listed)

    def count(self, side: str, number: Any) -> int:
        """N of a ranking, checked: the engine ranks no more than there is."""
        return min(whole_number("N", number), self.size(side))

    def named(self, side: str, rows: np.ndarray, scores: np.ndarray) -> Ranking:
        """Ids and scores of one list without empty places."""
        return (rows if self._kinds[side] == "rows" else self.of(side)[rows]), scores

    def answer(self, side: str, rows: np.ndarray, scores: np.ndarray, one: bool, N: int) -> Ranking:
        """Ids and scores of ranked rows; a row of -1 is a place without an item. One list ends
        there, several have N places."""
        if one:
            kept = rows[0] >= 0
            rows, scores = rows[0][kept], scores[0][kept]
        elif N > rows.shape[1]:
            if len(rows) * N > _MOST_PLACES:
                raise ConfigError(
                    f"N is {N:,} where the model has {self.size(side):,} {side}s: the lists "
                    f"would be nearly empty; give N up to {self.size(side):,}"
                )
            beyond = ((0, 0), (0, N - rows.shape[1]))
            rows = np.pad(rows, beyond, constant_values=-1)
            scores = np.pad(scores, beyond, constant_values=-np.inf)
        if self.kind(side) == "rows":
            return rows.astype(np.int32), scores  # as scipy and implicit number them
        known = self.of(side)
        ids, missing = known[rows], rows < 0
        if missing.any():
            if known.dtype.kind != "i" or known.min() < 0:
                ids = ids.astype(object)
            ids[missing] = None if ids.dtype.kind == "O" else -1
        return ids, scores
