"""In: a callback. Out: the same with a history, and with a bar when one is wanted."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional

Epoch = Callable[[int, dict[str, Any]], bool]
Callback = Callable[[int, dict[str, Any]], Optional[bool]]  # the user's


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

    def told(epoch: int, info: dict[str, Any]) -> bool:
        if info["phase"] == "train":
            bar.total = info["epochs"]
            bar.update(epoch - bar.n)
            figures = {k: f"{info[k]:.4f}" for k in ("loss", "recall@20") if k in info}
            bar.set_postfix(figures)
        return callback(epoch, info)

    return told, bar.close


def told_epochs(history: list[dict[str, Any]], callback: Optional[Callback]) -> Epoch:
    """Keeps the news of every epoch and passes it on."""

    def told(epoch: int, info: dict[str, Any]) -> bool:
        if info["phase"] != "train":
            return False
        history.append({"epoch": epoch, **info})
        return bool(callback(epoch, info)) if callback is not None else False

    return told
