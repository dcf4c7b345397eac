"""In: a callback. Out: the same with a history, and with a tqdm bar when one is wanted."""

from __future__ import annotations

from typing import Any, Callable, Optional

Epoch = Callable[[int, dict[str, Any]], bool]
Callback = Callable[[int, dict[str, Any]], Optional[bool]]  # the user's


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


def told_epochs(history: list[dict[str, Any]], callback: Optional[Callback]) -> Epoch:
    """Keeps the news of every epoch and passes it on."""

    def told(epoch: int, info: dict[str, Any]) -> bool:
        if info["phase"] != "train":
            return False
        history.append({"epoch": epoch, **info})
        return bool(callback(epoch, info)) if callback is not None else False

    return told
