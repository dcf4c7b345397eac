"""In: a callback. Out: the same with a history, and with a bar when one is wanted."""

from __future__ import annotations

import inspect
import sys
from typing import Any, Callable, Optional, Union

Make = Callable[[], Any]  # the model as it stands, during the call
Epoch = Callable[[int, dict[str, Any], Make], bool]
# The user's: (epoch, info), or (epoch, info, model). What it returns stops training when it is True.
Callback = Union[
    Callable[[int, dict[str, Any]], Any],
    Callable[[int, dict[str, Any], Any], Any],
]


class _Line:
    """One line on stderr, for where tqdm is not installed."""

    n = 0
    total = 0

    def update(self, epochs: int) -> None:
        self.n += epochs

    def set_postfix(self, figures: dict[str, str]) -> None:
        told = "".join(f", {name} {value}" for name, value in figures.items())
        print(f"\repoch {self.n} of {self.total}{told}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr)


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return tqdm(unit="epoch")


def with_progress(callback: Epoch, wanted: bool) -> tuple[Epoch, Callable[[], None]]:
    """(callback, close)"""
    if not wanted:
        return callback, lambda: None
    bar = _bar()

    def told(epoch: int, info: dict[str, Any], make: Make) -> bool:
        if info["phase"] == "train":
            bar.total = info["epochs"]
            bar.update(epoch - bar.n)
            figures = {k: f"{info[k]:.4f}" for k in ("loss", "recall@20") if k in info}
            bar.set_postfix(figures)
        return callback(epoch, info, make)

    return told, bar.close


def _wants_model(callback: Callable[..., Any]) -> bool:
    """Whether a callback must be given three arguments; one with a default is its own affair."""
    try:
        parameters = inspect.signature(callback).parameters.values()
    except ValueError:  # some functions of C have none
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p for p in parameters if p.kind in by_place and p.default is p.empty]
    return len(needed) >= 3


def told_epochs(
    history: list[dict[str, Any]], callback: Optional[Callback], model_of: Callable[[Make], Any]
) -> Epoch:
    """Keeps the news of every epoch and passes it on, with the model for who takes one."""
    told_to: Optional[Callable[..., Any]] = callback
    wants_model = told_to is not None and _wants_model(told_to)

    def told(epoch: int, info: dict[str, Any], make: Make) -> bool:
        if info["phase"] != "train":
            return False
        history.append({"epoch": epoch, **info})
        if told_to is None:
            return False
        more = (model_of(make),) if wants_model else ()
        return bool(told_to(epoch, info, *more))

    return told
