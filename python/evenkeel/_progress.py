"""In: a callback. Out: the same with a tqdm bar beside it, when one is wanted."""

from __future__ import annotations

from typing import Any, Callable

Epoch = Callable[[int, dict[str, Any]], bool]


def with_progress(callback: Epoch, wanted: bool) -> tuple[Epoch, Callable[[], None]]:
    """(callback, close)"""
    if not wanted:
        return callback, lambda: None
    from tqdm.auto import tqdm

    bar = tqdm(unit="epoch")

    def told(epoch: int, info: dict[str, Any]) -> bool:
        if info["phase"] == "train":
            bar.total = info["epochs"]
            bar.update(epoch - bar.n)
            figures = {k: f"{info[k]:.4f}" for k in ("loss", "recall@20") if k in info}
            bar.set_postfix(figures)
        return callback(epoch, info)

    return told, bar.close
