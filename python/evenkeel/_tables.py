"""In: a table with named columns, or columns. Out: the engine's Log, with or without pyarrow."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from . import _core
from ._errors import DataError
from ._options import threshold_of


def _column_names(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)  # pyarrow
    return [str(name) for name in (names if names is not None else frame.columns)]


def _find(names: list[str], what: str) -> Optional[str]:
    """The column that the command line would take for this, by the engine's list of names."""
    column = _core.known_column(names, what)
    return None if column is None else names[column]


def _pick(names: list[str], given: Any, what: str) -> str:
    if given:
        if given not in names:
            raise DataError(f"the table has no column '{given}'; name one of: {', '.join(names)}")
        return str(given)
    found = _find(names, what)
    if found is None:
        raise DataError(
            f"the table has no column that is known as a {what}; say {what}_column=, one of: "
            f"{', '.join(names)}"
        )
    return found


def user_and_item(frame: Any, options: Mapping[str, Any]) -> tuple[str, str]:
    """The names of the two columns of ids."""
    names = _column_names(frame)
    user = _pick(names, options.get("user_column"), "user")
    item = _pick(names, options.get("item_column"), "item")
    if user == item:
        raise DataError(f"user and item are both column '{user}'; set user_column and item_column")
    return user, item


def log_of_frame(frame: Any, options: Mapping[str, Any], times: str) -> _core.Log:
    """A table with named columns: pandas, polars, pyarrow or anything with an Arrow stream."""
    names = _column_names(frame)
    user, item = user_and_item(frame, options)
    threshold = threshold_of(options.get("min_rating"))
    rating = time = ""
    if threshold is not None:
        rating = _pick(names, options.get("rating_column"), "rating")
    asked = options.get("time_column")
    if times == "yes" or (times != "no" and asked):
        time = _pick(names, asked, "time")
    elif times != "no":
        time = _find(names, "time") or ""
    found = bool(time) and not asked and times != "yes"
    stream = _arrow_stream(frame, [name for name in (user, item, rating, time) if name])
    if stream is not None:
        return _core.Log.of_arrow(stream, user, item, rating, time, found, threshold)
    kept: Any = slice(None)
    if threshold is not None:
        kept = _numbers(frame[rating], rating) >= threshold
    moments = _moments(frame[time], time, found) if time else None
    return log_of_columns(
        frame[user].to_numpy()[kept],
        frame[item].to_numpy()[kept],
        moments if moments is None else np.ascontiguousarray(moments[kept]),
    )


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


def _numbers(column: Any, name: str) -> np.ndarray:
    values = np.asarray(column)
    if values.dtype.kind == "O":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            pass
    if values.dtype.kind not in "iuf":
        raise DataError(f"column '{name}' has the type {values.dtype}; it must hold numbers")
    values = values.astype(np.float64)
    _refuse_row(~np.isfinite(values), f"column '{name}' holds no finite number in row")
    return values


def _moments(column: Any, name: str, found: bool) -> Optional[np.ndarray]:
    """Times as numbers, as the Arrow reader makes them; None for words that nobody called times."""
    values = np.asarray(column)
    if values.dtype.kind == "O" and len(values) and not isinstance(values[0], (str, int, float)):
        values = np.asarray(column, dtype="datetime64[ns]")
    if values.dtype.kind == "M":
        _refuse_row(np.isnat(values), f"column '{name}' holds no time in row")
        return values.astype(np.int64).astype(np.float64)
    if values.dtype.kind in "iuf" or all(isinstance(v, (int, float)) for v in values.tolist()):
        return _numbers(column, name)
    times: np.ndarray = _core.times_of_texts(values.tolist())
    if found and len(times) and np.isnan(times[0]):
        return None
    _refuse_row(np.isnan(times), f"column '{name}' holds no time in row")
    return times


def _refuse_row(wrong: np.ndarray, sentence: str) -> None:
    if wrong.any():
        raise DataError(f"{sentence} {int(np.argmax(wrong))}; drop or fill such rows")


def log_of_columns(users: Any, items: Any, times: Optional[np.ndarray] = None) -> _core.Log:
    """Two columns of ids, each of whole numbers or of text."""
    return _core.Log.of_columns(id_column(users), id_column(items), times)


def id_column(values: Any) -> Any:
    """Ids as an array of 64-bit numbers or a list of texts."""
    column = np.asarray(values)
    if column.dtype.kind == "O":
        listed = column.tolist()
        if not all(isinstance(v, (int, np.integer)) and not isinstance(v, bool) for v in listed):
            return listed
        try:
            column = np.array(listed, dtype=np.int64 if min(listed, default=0) < 0 else np.uint64)
        except OverflowError:
            raise DataError("an id is a number of more than 64 bits; give text") from None
    if column.dtype.kind in "UTS":
        return column.tolist()
    if column.dtype.kind == "f":
        raise DataError("ids are floating-point numbers; give whole numbers or text (astype)")
    if column.dtype.kind not in "iu":
        raise DataError(f"ids have the type {column.dtype}; give whole numbers or text")
    return column.astype(np.uint64 if column.dtype.kind == "u" else np.int64, copy=False)
