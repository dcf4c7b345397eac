"""In: a function with named parameters. Out: the same, with a sentence for a misspelt keyword."""

from __future__ import annotations

import difflib
import functools
import inspect
from typing import Any, Callable, Iterable, TypeVar, cast

from ._errors import KeywordError

Function = TypeVar("Function", bound=Callable[..., Any])

# What the command line and other libraries call them.
_OTHER_NAMES = {
    "seed": "random_state",
    "threads": "num_threads",
    "n_jobs": "num_threads",
    "factors": "dim",
    "n_factors": "dim",
    "no_components": "dim",
    "embedding_size": "dim",
    "learning_rate": "lr",
    "regularization": "l2",
    "reg_weight": "l2",
    "iterations": "epochs",
    "n_epochs": "epochs",
}


def unknown_keyword(what: str, word: str, known: Iterable[str]) -> str:
    """The sentence about a name that does not exist, with the nearest one that does."""
    names = list(known)
    usual = _OTHER_NAMES.get(word)
    close = difflib.get_close_matches(word.lower(), names, 1, 0.6)
    if usual in names:
        close = [usual]
    if not close:
        return f"{what} '{word}' is unknown; known: {', '.join(names)}"
    return f"{what} '{word}' is unknown; did you mean '{close[0]}'? (known: {', '.join(names)})"


def check_keywords(called: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for word in given:
        if word not in names:
            raise KeywordError(unknown_keyword(f"{called}: keyword", word, names))


def known_keywords(function: Function) -> Function:
    """Keywords must be among the function's parameters."""
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    name = function.__qualname__

    @functools.wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        # Of a class, the one that is made, not the one that has the parameters.
        called = type(args[0]).__name__ if name.endswith(".__init__") else name
        check_keywords(called, given, names)
        return function(*args, **given)

    return cast(Function, checked)
