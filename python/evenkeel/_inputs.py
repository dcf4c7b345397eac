"""In: whatever holds interactions. Out: the engine's Dataset or Log, without a copy if possible.

A matrix (scipy CSR, or anything with `tocsr`) names users and items by row and column. Pairs and
tables carry ids, whole numbers or text. A path is read as the command line reads it.
"""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Optional

import numpy as np

from . import _core
from ._errors import DataError
from ._options import refuse_unused, threshold_of
from ._tables import log_of_columns, log_of_frame, user_and_item
from .dataset import Dataset, Path

Arrays = tuple[np.ndarray, np.ndarray]


def is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def is_matrix(data: Any) -> bool:
    return hasattr(data, "tocsr") or all(hasattr(data, a) for a in ("indptr", "indices", "shape"))


def is_table(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns")


def kind_of(data: Any) -> str:
    """What the data is, in words."""
    if is_path(data):
        return "a path"
    if isinstance(data, Dataset):
        return "a Dataset"
    if is_matrix(data):
        return "a matrix"
    return "a table" if is_table(data) else "an array of pairs"


def csr_arrays(matrix: Any, what: str = "user_items", threshold: Optional[float] = None) -> Arrays:
    """(indptr, indices) of a sparse matrix; views of its own memory where the types allow it.

    A stored zero is no interaction; with a threshold, what is below it is none.
    """
    csr = matrix.tocsr() if hasattr(matrix, "tocsr") else matrix
    if len(csr.shape) != 2:
        raise DataError(f"{what} has the shape {csr.shape}; give a matrix of users x items")
    indptr = np.ascontiguousarray(csr.indptr, dtype=np.int64)
    indices = np.ascontiguousarray(csr.indices)
    if indices.dtype not in (np.int32, np.int64):
        indices = indices.astype(np.int64)
    values = getattr(csr, "data", None)
    if values is None and threshold is not None:
        raise DataError(f"{what} has no values for min_rating to look at; leave min_rating out")
    if values is None or len(values) == 0:
        return indptr, indices
    kept = _kept(values, what, threshold)
    # A damaged matrix is told by the engine.
    if kept.all() or len(kept) != len(indices) or indptr.min() < 0 or indptr.max() > len(kept):
        return indptr, indices
    return np.concatenate([[0], np.cumsum(kept)])[indptr], indices[kept]


def _kept(values: np.ndarray, what: str, threshold: Optional[float]) -> np.ndarray:
    if values.dtype.kind not in "biuf":
        raise DataError(f"{what} has values of type {values.dtype}; give numbers or booleans")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise DataError(f"{what} holds NaN or infinite values; drop or fill them")
    if threshold is None:
        return np.asarray(values != 0)
    kept = np.asarray(values >= threshold)
    if not kept.any():
        raise DataError(
            f"no value of {what} reaches min_rating {threshold:g}, the largest is "
            f"{values.max():g}; lower min_rating, or leave it out"
        )
    return kept


def wide_csr(matrix: Any, what: str = "user_items", threshold: Optional[float] = None) -> Arrays:
    """The same with 64-bit indices, for small matrices."""
    indptr, indices = csr_arrays(matrix, what, threshold)
    return indptr, np.ascontiguousarray(indices, dtype=np.int64)


def seen_pairs(matrix: Any, threshold: Optional[float]) -> Arrays:
    """Rows and columns of the values below a threshold: they never train, but lists of items leave
    them out. The matrix has passed `csr_arrays`."""
    none = np.zeros(0, np.int64)
    csr = matrix.tocsr() if hasattr(matrix, "tocsr") else matrix
    values = getattr(csr, "data", None)
    if threshold is None or values is None or len(values) != len(csr.indices):
        return none, none
    seen = (values < threshold) & (values != 0)
    counts = np.diff(np.asarray(csr.indptr, dtype=np.int64))
    if not seen.any() or (counts < 0).any() or counts.sum() != len(seen):
        return none, none
    rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return rows[seen], np.asarray(csr.indices)[seen].astype(np.int64)


def _see(core: _core.Dataset, matrices: Iterable[Any], threshold: Optional[float]) -> None:
    """Tells a data set what of its matrices is only seen."""
    pairs = [seen_pairs(matrix, threshold) for matrix in matrices if matrix is not None]
    users, items = (np.concatenate(side) for side in zip(*pairs))
    if users.size:
        core.see(users, items)


def _log_of_matrix(matrix: Any, threshold: Optional[float]) -> _core.Log:
    indptr, indices = wide_csr(matrix, "the matrix", threshold)
    counts = np.diff(indptr)
    if (counts < 0).any() or counts.sum() > len(indices):
        raise DataError(
            "the matrix is damaged: indptr does not cut indices into rows; make it again"
        )
    rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    users, items = matrix.shape
    seen = seen_pairs(matrix, threshold)
    return _core.Log.of_matrix(users, items, rows, indices[: len(rows)], *seen)


def _pairs_of(data: Any) -> np.ndarray:
    """The array of a list of pairs; 5 beside "a" stays a number."""
    if isinstance(data, np.ndarray):
        return data
    try:
        pairs = np.asarray(data)
        return np.array(data, dtype=object) if pairs.dtype.kind in "USf" else pairs
    except ValueError:  # lists of different lengths
        return np.zeros(0)


def id_columns(data: Any, options: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Users and items of pairs or a table."""
    if is_table(data):
        user, item = user_and_item(data, options)
        return data[user].to_numpy(), data[item].to_numpy()
    pairs = _pairs_of(data)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise DataError(f"the data has the shape {pairs.shape}; give (user, item) pairs")
    return pairs[:, 0], pairs[:, 1]


def log_of(data: Any, options: Mapping[str, Any], times: str = "no") -> _core.Log:
    """Pairs or a table as a log; a matrix as the pairs of its rows and columns. `times` says
    whether the times of a table are read: no, if present, yes."""
    if is_matrix(data):
        return _log_of_matrix(data, threshold_of(options.get("min_rating")))
    if is_table(data):
        return log_of_frame(data, options, times)
    pairs = _pairs_of(data)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise DataError(
            f"data of type {type(data).__name__} and shape {pairs.shape} is not known; give a "
            "scipy matrix (users x items), an array of (user, item) pairs, a table or a path"
        )
    if pairs.dtype.kind in "iu" and pairs.size and pairs.min() < 0:
        raise DataError(f"id {pairs.min()} is negative; give ids from 0 on, or text")
    return log_of_columns(pairs[:, 0], pairs[:, 1])


def dataset_of(data: Any, options: Mapping[str, Any], valid: Any = None) -> _core.Dataset:
    """All of the data as training interactions (and `valid`, a matrix, as validation)."""
    kind = kind_of(data)
    refuse_unused(kind, options)
    if valid is not None and kind != "a matrix":
        own = "it has a validation part of its own" if kind == "a Dataset" else "use ek.split"
        raise DataError(f"valid= goes with a matrix, and the data is {kind}: {own}")
    if isinstance(data, Dataset):
        return data._core
    if not is_matrix(data):
        return log_of(data, options).whole("table", int(options.get("k_core") or 0))
    if 0 in data.shape:
        raise DataError(f"the matrix is empty, its shape is {data.shape}; give users x items")
    threshold = threshold_of(options.get("min_rating"))
    indptr, indices = csr_arrays(data, "the matrix", threshold)
    held = None
    if valid is not None:
        if not is_matrix(valid):
            raise DataError(f"valid= is {kind_of(valid)}; give a matrix of the data's shape")
        check_shape(valid, data.shape, "valid")
        held = csr_arrays(valid, "valid", threshold)
        if held[1].dtype != indices.dtype:
            held = (held[0], held[1].astype(indices.dtype))
    core = _core.Dataset.of_matrix("matrix", data.shape[1], indptr, indices, held)
    _see(core, (data, valid), threshold)
    return core


def matrices_of(
    train: Any, valid: Any, tests: Mapping[str, Any], min_rating: Optional[float]
) -> _core.Dataset:
    """Parts that are matrices of one shape."""
    if not is_matrix(train):
        raise DataError(f"train is {kind_of(train)}; give a scipy matrix of users x items")
    for name in tests:
        if not str(name).startswith("test"):
            raise DataError(f"a test is called '{name}'; give names that begin with 'test'")
    parts = {"train": train, "valid": valid, **dict(sorted(tests.items()))}
    threshold = threshold_of(min_rating)
    arrays = []
    for name, matrix in parts.items():
        if matrix is None:
            empty = np.zeros(train.shape[0] + 1, np.int64), np.zeros(0, np.int32)
            arrays.append((name, *empty))
            continue
        if not is_matrix(matrix):
            raise DataError(f"{name} is {kind_of(matrix)}; give a scipy matrix of users x items")
        check_shape(matrix, train.shape, name)
        indptr, indices = csr_arrays(matrix, name, threshold)
        arrays.append((name, indptr, indices.astype(np.int32, copy=False)))
    core = _core.Dataset.of_matrices("matrices", *train.shape, arrays)
    _see(core, parts.values(), threshold)
    return core


def weigh(core: _core.Dataset, matrix: Any, weights: Any) -> None:
    """Gives the interactions of a matrix their weights: a matrix of them, or one for each value."""
    csr = matrix.tocsr() if hasattr(matrix, "tocsr") else matrix
    if is_matrix(weights):
        check_shape(weights, matrix.shape, "weights")
        csr = weights.tocsr() if hasattr(weights, "tocsr") else weights
        values = np.asarray(csr.data)
    else:
        values = np.asarray(weights)
        if getattr(matrix, "format", "csr") != "csr":
            raise DataError("weights is an array, but the matrix is not CSR; give a CSR matrix")
    if values.dtype.kind not in "biuf":
        raise DataError(f"weights are of type {values.dtype}; give numbers")
    if values.shape != csr.indices.shape:
        raise DataError(
            f"weights has the shape {values.shape}, but the matrix holds {len(csr.indices)} values; "
            "give one weight for each, in the order of its data, or a matrix of weights"
        )
    rows = np.repeat(np.arange(csr.shape[0], dtype=np.int64), np.diff(csr.indptr))
    columns = np.ascontiguousarray(csr.indices, dtype=np.int64)
    core.weigh(rows, columns, np.ascontiguousarray(values, dtype=np.float64))


def check_shape(matrix: Any, shape: tuple[int, int], what: str) -> None:
    """A matrix that must have the model's users and items."""
    if tuple(matrix.shape) == tuple(shape):
        return
    turned = tuple(matrix.shape) == tuple(shape)[::-1]
    remedy = "it looks transposed: give its .T" if turned else "give one row per user"
    raise DataError(f"{what} has the shape {matrix.shape} where {shape} is needed; {remedy}")


def is_one(ids: Any) -> bool:
    """One id rather than an array of them."""
    return isinstance(ids, (str, bytes)) or (
        not isinstance(ids, Iterable) or (isinstance(ids, np.ndarray) and ids.ndim == 0)
    )


def id_list(ids: Any, what: str) -> np.ndarray:
    """Ids that are asked for, in one dimension: an array, or anything that can be gone through."""
    if not hasattr(ids, "__array__") and not isinstance(ids, (list, tuple)):
        ids = list(ids)
    try:
        asked = ids if isinstance(ids, np.ndarray) else np.asarray(ids)
        if asked.dtype.kind in "US" and isinstance(ids, (list, tuple)):
            asked = np.array(ids, dtype=object)  # 5 beside "a" stays a number
    except ValueError:  # lists of different lengths
        raise DataError(f"{what} holds lists; give one list of ids") from None
    if asked.ndim != 1:
        raise DataError(f"{what} has {asked.ndim} dimensions; give one list of ids")
    if asked.dtype.kind == "f" and asked.size:
        raise DataError(f"{what}: ids are floating-point numbers; give whole numbers or text")
    return asked
