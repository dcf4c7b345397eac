"""In: models and data. Out: the engine's figures as plain dicts."""

from __future__ import annotations

import inspect
import json
import logging
import os
import warnings
from typing import Any, Iterable, Optional

import numpy as np

from . import _core
from ._errors import ConfigError, DataError
from ._inputs import Path, check_shape, dataset_of, is_matrix, is_path, kind_of, log_of, wide_csr
from ._keywords import check_keywords, known_keywords
from ._options import refuse_unused, rerank_of, threads_of, threshold_of, whole_number
from ._params import engine_settings
from .dataset import Dataset
from .recommender import Recommender

_log = logging.getLogger("evenkeel")


@known_keywords
def evaluate(
    model: Recommender,
    test: Any = None,
    *,
    k: int = 20,
    groups: bool = True,
    allow_overlap: bool = False,
    num_threads: int = 0,
    debias: Optional[float] = None,
    rerank: Optional[str] = None,
    rerank_strength: Optional[float] = None,
    rerank_candidates: Optional[int] = None,
) -> dict[str, Any]:
    """Ranks all items for every user under test and measures the first `k`.

    Without `test` the model's own validation and tests are measured, as ``evenkeel evaluate RUN``
    does. `test` is a matrix in the model's rows, pairs or a table with the model's ids: then the
    answer is one dict of figures (``recall@20``, ``ndcg@20``, ..., ``groups``). For a `Dataset` or
    a path it is a dict of these, one for each part; a path is read as the model's own data was,
    and a log other than that one is a test as a whole. What trained the model is never
    recommended, and a test that holds such pairs is refused (`allow_overlap`: a warning). Rows of
    a matrix, whole numbers and text are different ids; they are refused rather than matched.
    `debias` is the strength of the popularity correction; without it, the model's own. `rerank` and
    its strength are those of `Recommender.recommend`.
    """
    core = model._fitted()
    whole_number("k", k)
    chosen = rerank_of(rerank, rerank_strength, rerank_candidates)
    how = (k, groups, allow_overlap, threads_of(num_threads), model._strength(debias), chosen)
    if test is None:
        return _measured(_core.evaluate_own(core, *how))
    if is_path(test):
        if core.user_kind == "rows":
            raise DataError(
                "the model knows users as rows of a matrix, the data as text; give the test as a "
                "matrix with the model's rows, as data['test'] is"
            )
        return _measured(_core.evaluate_path(core, os.fspath(test), model._reading_options(), *how))
    if isinstance(test, Dataset):
        check_ids(core, test._core)
        return _measured(_core.evaluate_dataset(core, test._core, *how))
    if is_matrix(test):
        check_shape(test, core.shape, "test")
        indptr, indices = wide_csr(test, "test", threshold_of(model.min_rating))
        return _measured(_core.evaluate_rows(core, indptr, indices, *how), "test")
    data = log_of(test, model._data_settings()).as_test()
    check_ids(core, data)
    return _measured(_core.evaluate_dataset(core, data, *how), "test")


@known_keywords
def metrics(ranked: Iterable[Any], relevant: Any, *, k: int = 20) -> dict[str, float]:
    """Recall, NDCG, HR, precision, MAP and MRR @k of anyone's ranked lists.

    `ranked` holds one list of item ids per user, best first; `relevant` the items that count, one
    list per user (or the rows of a scipy matrix). Users without relevant items are left out. None,
    and -1 where no item is called so, end a list: `recommend` pads with them.
    """
    whole_number("k", k)
    numbers: dict[Any, int] = {}
    relevant_lists = [np.unique(_numbered(_listed(row), numbers)) for row in _lists_of(relevant)]
    padding = {None} if -1 in numbers else {None, -1}
    ranked_lists = [_numbered(_without(_listed(row), padding), numbers) for row in ranked]
    for place, row in enumerate(ranked_lists):
        if len(np.unique(row)) < len(row):
            raise DataError(f"ranked list {place} names an item twice; keep its first place only")
    if len(ranked_lists) != len(relevant_lists):
        raise DataError(
            f"{len(ranked_lists)} ranked lists for {len(relevant_lists)} lists of relevant items; "
            "give one of each per user"
        )
    figures: dict[str, float] = _core.metrics(*_flat(ranked_lists), *_flat(relevant_lists), k)
    return figures


@known_keywords
def split(
    data: Any,
    protocol: str = "random",
    *,
    k_core: int = 0,
    random_state: int = 1,
    out: Optional[Path] = None,
    num_threads: int = 0,
    format: Optional[str] = None,
    user_column: Optional[str] = None,
    item_column: Optional[str] = None,
    rating_column: Optional[str] = None,
    time_column: Optional[str] = None,
    min_rating: Optional[float] = None,
    separator: Optional[str] = None,
    header: Optional[str] = None,
    on_bad_row: Optional[str] = None,
) -> Dataset:
    """Cuts interactions into train, validation and tests: random, balanced, temporal or
    leave-one-out. `out` also writes the folder of `evenkeel split`.

    The columns and `min_rating` say how to read a table or a file, the others how to read a file.
    What the data has no use for is refused. Times are read for `temporal`, which needs them, and
    for `leave-one-out` where there are any. The parts of a matrix keep its rows and columns.
    """
    options = _reading(locals())
    times = _core.wants_times(protocol)
    if times == "no" and time_column is not None:
        raise ConfigError(
            f"time_column is {time_column!r}, but the split '{protocol}' uses no times; leave it "
            "out, or cut by 'temporal' or 'leave-one-out'"
        )
    refuse_unused(kind_of(data), {**options, "k_core": k_core}, times)
    k_core = whole_number("k_core", k_core, 0)
    random_state = whole_number("random_state", random_state, 0, 2**63 - 1)
    if is_path(data):
        log = _core.Log.of_file(os.fspath(data), _texts(options), protocol, threads_of(num_threads))
    else:
        log = log_of(data, options, times)
    return Dataset(log.split("split", protocol, k_core, random_state, os.fspath(out or "")))


@known_keywords
def stats(
    data: Any,
    *,
    num_threads: int = 0,
    k_core: Optional[int] = None,
    split: Optional[str] = None,
    random_state: Optional[int] = None,
    format: Optional[str] = None,
    user_column: Optional[str] = None,
    item_column: Optional[str] = None,
    rating_column: Optional[str] = None,
    time_column: Optional[str] = None,
    min_rating: Optional[float] = None,
    separator: Optional[str] = None,
    header: Optional[str] = None,
    on_bad_row: Optional[str] = None,
) -> dict[str, Any]:
    """Users, items, interactions, density and D_KL of every part; options as in `split`."""
    options = {**_reading(locals()), "k_core": k_core, "split": split, "seed": random_state}
    refuse_unused(kind_of(data), options)
    if isinstance(data, Dataset):
        return data.stats()
    if is_path(data):
        return _dataset_of_path(data, options, num_threads).stats()
    return Dataset(dataset_of(data, options)).stats()


def dataset_of_path(path: Path, *, num_threads: int = 0, **options: Any) -> Dataset:
    """What `Dataset.load` reads; `options` are those of `stats`."""
    known = [name for name in inspect.signature(stats).parameters if name != "data"]
    check_keywords("Dataset.load", options, known)
    given = {name: options.get(name) for name in known if name != "num_threads"}
    given["seed"] = given.pop("random_state")
    return _dataset_of_path(path, given, num_threads)


def _dataset_of_path(path: Path, options: dict[str, Any], num_threads: int) -> Dataset:
    texts, threads = _texts(options), threads_of(num_threads)
    return Dataset(_core.Dataset.of_path(os.fspath(path), texts, threads))


@known_keywords
def synthetic(
    *,
    users: Optional[int] = None,
    items: Optional[int] = None,
    interactions: Optional[int] = None,
    bias: Optional[float] = None,
    random_state: Optional[int] = None,
    out: Optional[Path] = None,
    num_threads: int = 0,
) -> Dataset:
    """The synthetic market of docs/synthetic.md; what is left at None takes the engine's default.
    `out` also writes the folder of `evenkeel synth`."""
    market = dict(users=users, items=items, interactions=interactions, bias=bias, seed=random_state)
    made = _core.Dataset.synthetic(
        engine_settings(market), os.fspath(out or ""), threads_of(num_threads)
    )
    return Dataset(made)


@known_keywords
def report(runs: Any, out: Path = "report.html", *, num_threads: int = 0) -> dict[str, Any]:
    """Writes one HTML page about run folders (``fit(..., out=folder)``) and returns its data."""
    folders = [runs] if is_path(runs) else list(runs)
    paths = [os.fspath(folder) for folder in folders]
    return _told(_core.report(paths, os.fspath(out), threads_of(num_threads), _log.info))


@known_keywords
def experiment(
    file: Path, out: Path, *, data_root: Optional[Path] = None, jobs: int = 1, num_threads: int = 0
) -> dict[str, Any]:
    """Runs an experiment file (methods x data sets x seeds) into the folder `out`.

    The answer holds ``table``, ``cost``, ``missing`` and ``failures``; the same call goes on
    where an earlier one was stopped.
    """
    answer = _core.experiment(
        os.fspath(file),
        os.fspath(out),
        os.fspath(data_root or ""),
        whole_number("jobs", jobs, 1, 1024),
        threads_of(num_threads),
        _log.info,
    )
    return _told(answer)


def _told(text: str) -> dict[str, Any]:
    """The engine's JSON."""
    answer: dict[str, Any] = json.loads(text)
    return answer


def _measured(told: tuple[str, str], part: Optional[str] = None) -> dict[str, Any]:
    """Figures of all parts, or of one; what must be said beside them is a warning."""
    text, warning = told
    if warning:
        warnings.warn(warning, stacklevel=3)
    answer = _told(text)
    figures: dict[str, Any] = answer if part is None else answer[part]
    return figures


def _reading(given: dict[str, Any]) -> dict[str, Any]:
    """The options of reading among a function's parameters."""
    names = "format user_column item_column rating_column time_column min_rating separator header"
    return {name: given[name] for name in [*names.split(), "on_bad_row"]}


def _texts(options: dict[str, Any]) -> dict[str, Any]:
    """As the engine takes them: the threshold is text, so that none can be said."""
    threshold = options["min_rating"]
    return {**options, "min_rating": None if threshold is None else str(threshold)}


def check_ids(model: _core.Model, data: _core.Dataset) -> None:
    """Ids of the data must be what the model's are; a file's text may be either."""
    words = {"rows": "rows of a matrix", "int": "whole numbers", "str": "text"}
    for side in ("user", "item"):
        ours, theirs = (getattr(one, f"{side}_kind") for one in (model, data))
        if ours == theirs or ("file" in (ours, theirs) and "rows" not in (ours, theirs)):
            continue
        if ours == "rows":
            remedy = "give the test as a matrix with the model's rows, as data['test'] is"
        else:
            remedy = "give the test with the ids that the model was trained on"
        raise DataError(
            f"the model knows {side}s as {words.get(ours, 'text')}, the data as "
            f"{words.get(theirs, 'text')}; {remedy}"
        )
    if model.user_kind == "rows" and tuple(model.shape) != tuple(data.shape):
        raise DataError(
            f"the data's matrix has the shape {data.shape}, the model's {model.shape}; give data "
            "of the matrix that the model was trained on"
        )


def _lists_of(relevant: Any) -> Iterable[Any]:
    if not is_matrix(relevant):
        yield from relevant
        return
    indptr, indices = wide_csr(relevant, "relevant")
    for begin, end in zip(indptr, indptr[1:]):
        yield indices[begin:end]


def _listed(ids: Any) -> list[Any]:
    return list(ids.tolist() if hasattr(ids, "tolist") else ids)


def _without(ids: list[Any], padding: set[Any]) -> list[Any]:
    end = len(ids)
    while end > 0 and ids[end - 1] in padding:
        end -= 1
    return ids[:end]


def _numbered(ids: list[Any], numbers: dict[Any, int]) -> np.ndarray:
    return np.array([numbers.setdefault(v, len(numbers)) for v in ids], dtype=np.uint32)


def _flat(lists: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.zeros(len(lists) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in lists], out=offsets[1:])
    return offsets, np.concatenate(lists) if lists else np.zeros(0, dtype=np.uint32)
