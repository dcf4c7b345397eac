"""In: a data set of the engine. Out: its parts as scipy matrices, its ids as arrays."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _core

Path = Union[str, "os.PathLike[str]"]


class Dataset:
    """Train, validation and tests over the same rows: what `split` and `synthetic` give.

    ``data["train"]`` is a scipy CSR matrix of users x items; ``data.parts`` names the parts.
    ``user_ids[r]`` is who row r stands for, and likewise for items. The parts of a matrix keep its
    rows and columns. A data set can be pickled; `load` reads one from a folder, `of` takes your own
    matrices.
    """

    def __init__(self, core: _core.Dataset) -> None:
        self._core = core

    @classmethod
    def load(cls, path: Path, **options: Any) -> "Dataset":
        """A folder of parts (of `split`, `prepare` or `save`), or a file, which is then cut.

        `options` are those of `stats`: how to read and, for a file, how to cut.
        """
        from .functions import dataset_of_path

        return dataset_of_path(path, **options)

    @classmethod
    def of(
        cls,
        train: Any,
        valid: Any = None,
        tests: Optional[Mapping[str, Any]] = None,
        *,
        min_rating: Optional[float] = None,
    ) -> "Dataset":
        """Your own parts: scipy matrices of one shape, users x items, known by row and column.

        `tests` names them: ``{"test": matrix}``, or ``test_something`` for several.
        """
        from ._inputs import matrices_of

        return cls(matrices_of(train, valid, tests or {}, min_rating))

    def save(self, folder: Path) -> None:
        """Writes a folder that `load`, `fit` and the command line read; what was there and is not a
        split is never overwritten. Rows of a matrix become their numbers as text."""
        self._core.save(os.fspath(folder))

    @property
    def shape(self) -> tuple[int, int]:
        """(users, items)"""
        return self._core.shape

    @property
    def parts(self) -> list[str]:
        return self._core.parts

    @property
    def user_ids(self) -> np.ndarray:
        """The id of every row; text or whole numbers."""
        return id_array(self._core.user_ids())

    @property
    def item_ids(self) -> np.ndarray:
        return id_array(self._core.item_ids())

    def __contains__(self, part: object) -> bool:
        return part in self.parts

    def __getitem__(self, part: str) -> Any:
        from scipy.sparse import csr_matrix

        indptr, indices = self._core.part(part)
        ones = np.ones(len(indices), np.float32)
        return csr_matrix((ones, indices, indptr), shape=self.shape)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._core.state()

    def stats(self) -> dict[str, Any]:
        """Sizes, density and long-tail degree of every part."""
        answer: dict[str, Any] = json.loads(self._core.statistics())
        return answer

    def __repr__(self) -> str:
        return f"Dataset({self.shape[0]} users, {self.shape[1]} items: {', '.join(self.parts)})"


def _restored(*state: Any) -> Dataset:
    return Dataset(_core.Dataset.of_state(*state))


def id_array(ids: Any) -> np.ndarray:
    """Numbers as they are, texts as an array of str."""
    return ids if isinstance(ids, np.ndarray) else np.array(ids, dtype=object)
