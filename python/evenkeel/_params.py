"""In: the engine's registry of options. Out: parameters in the scikit-learn manner."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, TypeVar

from . import _core
from ._errors import KeywordError
from ._keywords import unknown_keyword

Self = TypeVar("Self", bound="Parameters")

# Python's usual names for two options of the engine, and one that is a word of the language.
_PYTHON_NAMES = {"threads": "num_threads", "seed": "random_state", "from": "start_from"}
_ENGINE_NAMES = {python: engine for engine, python in _PYTHON_NAMES.items()}


def engine_settings(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the engine names them; numpy scalars become Python's own."""
    settings = {}
    for name, value in params.items():
        item = getattr(value, "item", None)
        settings[engine_name(name)] = item() if callable(item) else value
    return settings


def engine_name(name: str) -> str:
    """What the engine calls a parameter of Python."""
    return _ENGINE_NAMES.get(name, name)


def python_name(name: str) -> str:
    """What Python calls an option of the engine."""
    return _PYTHON_NAMES.get(name, name).replace("-", "_")


def registry() -> list[dict[str, Any]]:
    """Every option of a run: name, default, help, min, max, choices."""
    fields: list[dict[str, Any]] = _core.run_fields()
    for field in fields:
        field["name"] = _PYTHON_NAMES.get(field["name"], field["name"])
    return fields


def parameter_help(width: int = 100) -> str:
    """The 'Parameters' section of a docstring, from the registry."""
    lines = ["Parameters", "----------"]
    for field in registry():
        kind = type(field["default"]).__name__
        choices = f", one of {', '.join(field['choices'])}" if field["choices"] else ""
        head = f"{field['name']} : {kind}, default {field['default']!r}{choices}"
        lines += textwrap.wrap(head, width, subsequent_indent="    ", break_on_hyphens=False)
        lines += textwrap.wrap(
            field["help"],
            width,
            initial_indent="    ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    return "\n".join(lines)


class Parameters:
    """get_params, set_params and repr; a parameter that is None takes the engine's default."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls).parameters]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters as they were given (scikit-learn's `clone` and searches call this)."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters; takes effect at the next `fit`."""
        known = self._names()
        for name in params:
            if name not in known:
                raise KeywordError(unknown_keyword("parameter", name, known))
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in self.get_params().items() if v is not None)
        return f"{type(self).__name__}({given})"
