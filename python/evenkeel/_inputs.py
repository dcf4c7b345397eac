"""In: whatever holds interactions. Out: the engine's Dataset or Log, without a copy if possible.

A matrix (scipy CSR, or anything with `tocsr`) names users and items by row and column. Pairs and
tables carry ids, whole numbers or text. A path is read as the command line reads it.
"""

from __future__ import annotations

import os
from typing import Any, Optional

import numpy as np

from . import _core
from ._errors import ConfigError, DataError
from .dataset import Dataset

_USER_NAMES = ("user", "user_id", "userid", "uid", "customer_id", "customer")
_ITEM_NAMES = ("item", "item_id", "itemid", "iid", "movie_id", "movieid", "product_id", "product")
_RATING_NAMES = ("rating", "score", "stars", "overall")
_TIME_NAMES = ("timestamp", "time", "date", "datetime")


def is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def is_matrix(data: Any) -> bool:
    return hasattr(data, "tocsr") or all(hasattr(data, a) for a in ("indptr", "indices", "shape"))


def csr_arrays(matrix: Any, what: str = "user_items") -> tuple[np.ndarray, np.ndarray]:
    """(indptr, indices) of a sparse matrix; views of its own memory where the types allow it."""
    csr = matrix.tocsr() if hasattr(matrix, "tocsr") else matrix
    if len(csr.shape) != 2:
        raise DataError(f"{what} has the shape {csr.shape}; give a matrix of users x items")
    values = getattr(csr, "data", None)
    if values is not None and len(values) > 0:
        if values.dtype.kind not in "biuf":
            raise DataError(f"{what} has values of type {values.dtype}; give numbers or booleans")
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise DataError(f"{what} holds NaN or infinite values; drop or fill them")
        if not values.all():  # a stored zero is no interaction
            csr = csr.copy()
            csr.eliminate_zeros()
    indices = np.ascontiguousarray(csr.indices)
    if indices.dtype not in (np.int32, np.int64):
        indices = indices.astype(np.int64)
    return np.ascontiguousarray(csr.indptr, dtype=np.int64), indices


def wide_csr(matrix: Any, what: str = "user_items") -> tuple[np.ndarray, np.ndarray]:
    """The same with 64-bit indices, for small matrices."""
    indptr, indices = csr_arrays(matrix, what)
    return indptr, np.ascontiguousarray(indices, dtype=np.int64)


def _column_names(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)  # pyarrow
    return [str(name) for name in (names if names is not None else frame.columns)]


def _pick(names: list[str], given: Optional[str], usual: tuple[str, ...], what: str) -> str:
    if given:
        if given not in names:
            raise DataError(f"the table has no column '{given}'; name one of: {', '.join(names)}")
        return given
    for name in names:
        if name.lower().replace("-", "_") in usual:
            return name
    raise DataError(
        f"the table has no column that is known as a {what}; say {what}_column=, one of: "
        f"{', '.join(names)}"
    )


def log_of_frame(frame: Any, columns: dict[str, Any], times: bool = False) -> _core.Log:
    """A table with named columns: pandas, polars, pyarrow or anything with an Arrow stream."""
    names = _column_names(frame)
    user = _pick(names, columns.get("user_column"), _USER_NAMES, "user")
    item = _pick(names, columns.get("item_column"), _ITEM_NAMES, "item")
    rating = time = ""
    min_rating = columns.get("min_rating")
    if min_rating not in (None, ""):
        rating = _pick(names, columns.get("rating_column"), _RATING_NAMES, "rating")
    if times:
        time = _pick(names, columns.get("time_column"), _TIME_NAMES, "time")
    stream = _arrow_stream(frame, [name for name in (user, item, rating, time) if name])
    if stream is not None:
        threshold = float(columns["min_rating"]) if rating else None
        return _core.Log.of_arrow(stream, user, item, rating, time, threshold)
    if rating or time:
        raise DataError("ratings and times need an Arrow stream; install pyarrow")
    return log_of_columns(frame[user].to_numpy(), frame[item].to_numpy())


def _arrow_stream(frame: Any, columns: list[str]) -> Any:
    """The Arrow C stream of these columns; None where there is none (pandas without pyarrow)."""
    if not hasattr(frame, "__arrow_c_stream__"):
        return None
    narrow = frame[columns] if hasattr(frame, "iloc") else frame.select(columns)
    try:
        return narrow.__arrow_c_stream__()
    except ImportError:
        return None
    except Exception as error:  # each library has its own: a column of mixed types, for one
        raise DataError(f"the table cannot be read: {error}; make its columns one type") from error


def log_of_columns(users: Any, items: Any) -> _core.Log:
    """Two columns of ids, whole numbers or text."""
    columns = [np.asarray(column) for column in (users, items)]
    for column in columns:
        if column.dtype.kind == "f":
            raise DataError("ids are floating-point numbers; give whole numbers or text (astype)")
        if column.dtype.kind not in "iuUOT":
            raise DataError(f"ids have the type {column.dtype}; give whole numbers or text")
    if all(column.dtype.kind in "iu" for column in columns):
        for column in columns:
            if column.size and column.min() < 0:
                raise DataError(f"id {column.min()} is negative; give ids from 0 on, or text")
        return _core.Log.of_numbers(*(column.astype(np.int64, copy=False) for column in columns))
    return _core.Log.of_texts(*(_texts(column) for column in columns))


def _texts(column: np.ndarray) -> list[Any]:
    return [str(v) for v in column.tolist()] if column.dtype.kind in "iu" else column.tolist()


def log_of(data: Any, columns: dict[str, Any], times: bool = False) -> _core.Log:
    """Pairs or a table as a log; a matrix as the pairs of its rows and columns."""
    if is_matrix(data):
        coo = data.tocoo() if hasattr(data, "tocoo") else data.tocsr().tocoo()
        return _core.Log.of_numbers(coo.row.astype(np.int64), coo.col.astype(np.int64))
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns"):
        return log_of_frame(data, columns, times)
    pairs = np.asarray(data)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise DataError(
            f"data of type {type(data).__name__} and shape {pairs.shape} is not known; give a "
            "scipy matrix (users x items), an array of (user, item) pairs, a table or a path"
        )
    return log_of_columns(pairs[:, 0], pairs[:, 1])


def dataset_of(data: Any, columns: dict[str, Any], valid: Any = None) -> _core.Dataset:
    """All of the data as training interactions (and `valid`, a matrix, as validation)."""
    if isinstance(data, Dataset):
        return data._core
    if not is_matrix(data):
        if valid is not None:
            raise DataError("valid= goes with a matrix; for tables and pairs use ek.split")
        return log_of(data, columns).whole("table", int(columns.get("k_core") or 0))
    if columns.get("k_core"):
        raise DataError("k_core would renumber the matrix's rows; give a table or pairs instead")
    if 0 in data.shape:
        raise DataError(f"the matrix is empty, its shape is {data.shape}; give users x items")
    indptr, indices = csr_arrays(data)
    held = None
    if valid is not None:
        check_shape(valid, data.shape, "valid")
        held = csr_arrays(valid, "valid")
        if held[1].dtype != indices.dtype:
            held = (held[0], held[1].astype(indices.dtype))
    return _core.Dataset.of_matrix("matrix", data.shape[1], indptr, indices, held)


def check_shape(matrix: Any, shape: tuple[int, int], what: str) -> None:
    """A matrix that must have the model's users and items."""
    if tuple(matrix.shape) == tuple(shape):
        return
    turned = tuple(matrix.shape) == tuple(shape)[::-1]
    remedy = "it looks transposed: give its .T" if turned else "give one row a user"
    raise DataError(f"{what} has the shape {matrix.shape} where {shape} is needed; {remedy}")


def is_one(ids: Any) -> bool:
    """One id rather than an array of them."""
    return isinstance(ids, (str, bytes)) or np.ndim(ids) == 0


def count_of(number: Any) -> int:
    """N of a ranking, checked."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise ConfigError(f"N is {number!r}; give a whole number from 1")
    return int(number)
