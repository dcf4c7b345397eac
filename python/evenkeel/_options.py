"""In: options that say how data is read. Out: those the data has a use for, others refused."""

from __future__ import annotations

import functools
import math
from typing import Any, Mapping, Optional

import numpy as np

from . import _core
from ._errors import ConfigError

# What each kind of data in memory has a use for; a path takes everything.
_USED = {
    "a matrix": {"min_rating"},
    "an array of pairs": {"k_core"},
    "a table": {"user_column", "item_column", "rating_column", "min_rating", "k_core"},
    "a Dataset": set[str](),
}


@functools.lru_cache(maxsize=None)
def _defaults() -> dict[str, Any]:
    fields = [*_core.run_fields(), *_core.data_fields()]
    return {field["name"]: field["default"] for field in fields}


@functools.lru_cache(maxsize=None)
def _most_threads() -> int:
    return next(int(field["max"]) for field in _core.run_fields() if field["name"] == "threads")


def is_given(name: str, value: Any) -> bool:
    """Whether an option says anything: None and the engine's default do not."""
    return value is not None and value != _defaults().get(name)


def refuse_unused(kind: str, options: Mapping[str, Any], times: str = "no") -> None:
    """A config error for an option that this kind of data has no use for (`times`: as the split
    that is asked for wants them)."""
    if kind == "a path":
        return
    used = _USED[kind] | ({"time_column"} if kind == "a table" and times != "no" else set())
    for name, value in options.items():
        if is_given(name, value) and name not in used:
            raise ConfigError(f"{name} is {value!r}, but {_reason(name, kind)}")
    if is_given("rating_column", options.get("rating_column")):
        if not is_given("min_rating", options.get("min_rating")):
            raise ConfigError("rating_column does nothing without min_rating; give both or neither")


def _reason(name: str, kind: str) -> str:
    if name in ("weight_column", "half_life"):
        remedy = "give weights= to fit" if kind == "a matrix" else "give a path or a matrix"
        return f"it goes with a file's columns, and the data is {kind}; {remedy}"
    if name == "k_core" and kind == "a matrix":
        return "it would renumber the matrix's rows; give a table or pairs instead"
    if name in ("split", "seed") and kind != "a Dataset":
        return f"{kind} is not cut here; cut it with ek.split, or leave {name} out"
    if name == "time_column" and kind == "a table":
        return (
            "times are used by ek.split alone, for 'temporal' and 'leave-one-out'; cut the table "
            "so, or leave it out"
        )
    return f"{kind} has no use for it; leave it out"


def threshold_of(value: Any) -> Optional[float]:
    """min_rating as a number; None where nothing was given."""
    if not is_given("min_rating", value):
        return None
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ConfigError(f"min_rating is {value!r}; give a number")
    return number


def strength_of(value: Any) -> float:
    """A strength of the popularity correction."""
    try:
        number = float(value) if not isinstance(value, (bool, str)) else math.nan
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise ConfigError(
            f"debias is {value!r}; give a strength from 0 (as logged), usually below 1"
        )
    return number


def rerank_of(
    name: Any, strength: Any, candidates: Any
) -> Optional[tuple[str, Optional[str], Optional[int]]]:
    """A reranker with its strength and number of candidates, as the engine takes them."""
    if name is not None and not isinstance(name, str):
        raise ConfigError(f"rerank is {name!r}; give the name of a reranker, or None")
    if strength is not None:
        if isinstance(strength, (bool, str)) or not isinstance(strength, (int, float, np.number)):
            raise ConfigError(f"rerank_strength is {strength!r}; give a number")
        strength = repr(float(strength))
    if candidates is not None:
        candidates = whole_number("rerank_candidates", candidates)
    if name is None and strength is None and candidates is None:
        return None
    return ("none" if name is None else name, strength, candidates)


def whole_number(name: str, value: Any, least: int = 1, most: int = 2**31 - 1) -> int:
    """A count, checked."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ConfigError(f"{name} is {value!r}; give a whole number from {least}")
    if value > most:
        raise ConfigError(f"{name} is {value!r}; give a whole number from {least} to {most}")
    return int(value)


def threads_of(value: Any) -> int:
    """num_threads, checked; None and 0 are all cores that this process may use."""
    return whole_number("num_threads", 0 if value is None else value, 0, _most_threads())
