"""In: a fitted model of any ids. Out: the same model speaking row numbers, as `implicit` does."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._errors import DataError
from ._inputs import id_columns, is_matrix
from ._lookup import Lookup
from .recommender import Recommender


class _Rows(Lookup):
    """Users and items known by row, whatever they are called."""

    def __init__(self, model: _core.Model) -> None:
        super().__init__(model)
        self._kinds = {"user": "rows", "item": "rows"}

    def of(self, side: str) -> np.ndarray:
        return np.arange(self.size(side), dtype=np.int32)


class RowRecommender(Recommender):
    """What `as_implicit` gives. Rows are those of ``user_ids_`` and ``item_ids_`` of the model."""

    def __init__(self, model: Recommender) -> None:
        core = model._fitted()
        self.__dict__.update(model.__dict__)
        self._lookup = _Rows(core)
        self._named = model

    @classmethod
    def _names(cls) -> list[str]:
        return Recommender._names()

    def __reduce__(self) -> tuple[Any, ...]:
        return RowRecommender, (self._named,)

    def matrix(self, data: Any) -> Any:
        """Pairs or a table with the model's ids as a CSR matrix of its rows and columns.

        Pairs of which the model does not know the user or the item are left out.
        """
        from scipy.sparse import csr_matrix

        if is_matrix(data):
            raise DataError("the data is a matrix already; give pairs or a table")
        columns = id_columns(data, self._named._data_settings())
        names = self._named._ids()
        users, items = (names.found(*side)[0] for side in zip(("user", "item"), columns))
        known = (users >= 0) & (items >= 0)
        ones = np.ones(int(known.sum()), np.float32)
        made = csr_matrix((ones, (users[known], items[known])), shape=self._fitted().shape)
        made.data[:] = 1  # a pair that the log holds twice counts once
        return made


def as_implicit(model: Recommender) -> RowRecommender:
    """A view of a fitted model for programs that are written for `implicit`: users and items are
    row numbers, and ``implicit.evaluation.ranking_metrics_at_k(as_implicit(model), train, test)``
    runs on any model. ``matrix`` makes such matrices of pairs and tables."""
    if not isinstance(model, Recommender):
        raise DataError(f"as_implicit takes a Recommender, not {type(model).__name__}")
    return RowRecommender(model)
