"""In: models and data. Out: the engine's figures as plain dicts."""

from __future__ import annotations

import json
import logging
import os
from typing import Any, Iterable, Optional

import numpy as np

from . import _core
from ._errors import ConfigError, DataError
from ._inputs import check_shape, dataset_of, is_matrix, is_path, log_of, wide_csr
from .dataset import Dataset
from .recommender import BCRecommender

_log = logging.getLogger("evenkeel")


def evaluate(
    model: BCRecommender, test: Any, *, k: int = 20, groups: bool = True, num_threads: int = 0
) -> dict[str, Any]:
    """Ranks all items for every user under test and measures the first `k`.

    `test` is a matrix in the model's rows, pairs or a table with the model's ids: then the answer
    is one dict of figures (``recall@20``, ``ndcg@20``, ..., ``groups``). For a `Dataset` or a path
    it is a dict of these, one for each part. Training items are never recommended.
    """
    core = model._fitted()
    if k < 1:
        raise ConfigError(f"k is {k}; give at least 1")
    if is_path(test):
        data = _core.Dataset.of_path(str(test), model._data_settings(), num_threads)
        return json.loads(core.evaluate(data, k, groups, num_threads))
    if isinstance(test, Dataset):
        return json.loads(core.evaluate(test._core, k, groups, num_threads))
    if is_matrix(test):
        check_shape(test, core.shape, "test")
        indptr, indices = wide_csr(test, "test")
    else:
        data = log_of(test, model._data_settings()).as_test()
        return json.loads(core.evaluate(data, k, groups, num_threads))["test"]
    return json.loads(core.evaluate_rows(indptr, indices, k, groups, num_threads))["test"]


def metrics(ranked: Iterable, relevant: Iterable, *, k: int = 20) -> dict[str, float]:
    """Recall, NDCG, HR, precision, MAP and MRR @k of anyone's ranked lists.

    `ranked` holds one list of item ids a user, best first; `relevant` the items that count, one
    list a user (or the rows of a scipy matrix). Users without relevant items are left out.
    """
    if k < 1:
        raise ConfigError(f"k is {k}; give at least 1")
    numbers: dict[Any, int] = {}
    ranked_lists = [_numbered(row, numbers) for row in ranked]
    for place, row in enumerate(ranked_lists):
        if len(np.unique(row)) < len(row):
            raise DataError(f"ranked list {place} names an item twice; keep its first place only")
    relevant_lists = [np.unique(_numbered(row, numbers)) for row in _lists_of(relevant)]
    if len(ranked_lists) != len(relevant_lists):
        raise DataError(
            f"{len(ranked_lists)} ranked lists for {len(relevant_lists)} lists of relevant items; "
            "give one of each a user"
        )
    return _core.metrics(*_flat(ranked_lists), *_flat(relevant_lists), k)


def split(
    data: Any,
    protocol: str = "random",
    *,
    k_core: int = 0,
    random_state: int = 1,
    out: Optional[str] = None,
    num_threads: int = 0,
    **columns: Any,
) -> Dataset:
    """Cuts interactions into train, validation and tests: random, balanced, temporal or
    leave-one-out. `out` also writes the folder of `evenkeel split`. `columns` (user_column,
    item_column, time_column, rating_column, min_rating, ...) say how to read tables and files."""
    times = protocol == "temporal" or bool(columns.get("time_column"))
    if is_path(data):
        log = _core.Log.of_file(
            str(data), columns, times or protocol == "leave-one-out", num_threads
        )
    else:
        log = log_of(data, columns, times)
    return Dataset(log.split("split", protocol, k_core, random_state, str(out or "")))


def stats(data: Any, *, num_threads: int = 0, **columns: Any) -> dict[str, Any]:
    """Users, items, interactions, density and D_KL of every part."""
    if isinstance(data, Dataset):
        return data.stats()
    if is_path(data):
        return Dataset(_core.Dataset.of_path(str(data), columns, num_threads)).stats()
    return Dataset(dataset_of(data, columns)).stats()


def synthetic(*, out: Optional[str] = None, num_threads: int = 0, **market: Any) -> Dataset:
    """The synthetic market of docs/synthetic.md: users, items, interactions, bias, random_state."""
    if "random_state" in market:
        market["seed"] = market.pop("random_state")
    return Dataset(_core.Dataset.synthetic(market, str(out or ""), num_threads))


def report(runs: Any, out: str = "report.html", *, num_threads: int = 0) -> dict[str, Any]:
    """Writes one HTML page about run folders (``fit(..., out=folder)``) and returns its data."""
    folders = [runs] if is_path(runs) else list(runs)
    paths = [os.fspath(folder) for folder in folders]
    return json.loads(_core.report(paths, os.fspath(out), num_threads, _log.info))


def experiment(
    file: Any, out: str, *, data_root: Optional[str] = None, jobs: int = 1, num_threads: int = 0
) -> dict[str, Any]:
    """Runs an experiment file (methods x data sets x seeds) into the folder `out`.

    The answer holds ``table``, ``cost``, ``missing`` and ``failures``; the same call goes on
    where an earlier one was stopped.
    """
    return json.loads(
        _core.experiment(
            os.fspath(file),
            os.fspath(out),
            os.fspath(data_root or ""),
            jobs,
            num_threads,
            _log.info,
        )
    )


def _lists_of(relevant: Any) -> Iterable:
    if not is_matrix(relevant):
        return relevant
    indptr, indices = wide_csr(relevant, "relevant")
    return (indices[a:b].tolist() for a, b in zip(indptr, indptr[1:]))


def _numbered(ids: Any, numbers: dict[Any, int]) -> np.ndarray:
    values = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    return np.array([numbers.setdefault(v, len(numbers)) for v in values], dtype=np.uint32)


def _flat(lists: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.zeros(len(lists) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in lists], out=offsets[1:])
    return offsets, np.concatenate(lists) if lists else np.zeros(0, dtype=np.uint32)
