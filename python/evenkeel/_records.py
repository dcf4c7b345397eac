"""In: a run folder. Out: what its training was given and what it told, as Python keeps it."""

from __future__ import annotations

import json
import os
from typing import Any, Optional

from ._errors import DataError
from ._params import python_name, registry


def read_result(folder: str) -> Optional[dict[str, Any]]:
    """result.json, or None where there is none (an unfinished run, a model file alone)."""
    path = os.path.join(folder, "result.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        try:
            result = json.load(file)
        except ValueError as error:
            sentence = f"{path}: not a result of evenkeel train ({error}); train again"
            raise DataError(sentence) from None
    whole = isinstance(result, dict) and isinstance(result.get("config"), dict)
    if not whole or not isinstance(result.get("best_epoch"), int):
        raise DataError(f"{path}: not a result of evenkeel train; train again")
    return result


def parameters_of(result: dict[str, Any], known: list[str]) -> dict[str, Any]:
    """The parameters of a result's configuration that are not the engine's defaults."""
    found = {python_name(name): value for name, value in result["config"].items()}
    defaults = {python_name(field["name"]): field["default"] for field in registry()}
    return {n: found[n] for n in known if n in found and found[n] != defaults.get(n)}


def read_history(folder: str) -> list[dict[str, Any]]:
    """One dict an epoch, as a callback receives it; a line that is no event is passed over."""
    history: list[dict[str, Any]] = []
    path = os.path.join(folder, "events.jsonl")
    if not os.path.exists(path):
        return history
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                event = json.loads(line)
                event["epoch"] = int(event["epoch"])
                event.update(event.pop("valid", {}))
            except (ValueError, TypeError, KeyError):
                continue
            if history and event["epoch"] <= history[-1]["epoch"]:
                break  # a refit counts from 1 again
            history.append({"phase": "train", **event})
    return history
