"""Writes python/evenkeel/_recommender_parameters.py: the parameters of Recommender, for IDEs.

In: the registry of the installed engine. Out: the module's text, on stdout with --print, else in
its place. Run it when an option of `evenkeel train` changes: build/venv/bin/python
python/make_parameters.py (a test compares).
"""

from __future__ import annotations

import pathlib
import sys
import textwrap
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
# The installed package has the engine, the one beside this file has not.
sys.path[:] = [folder for folder in sys.path if pathlib.Path(folder).resolve() != HERE]

from evenkeel._params import parameter_help, registry  # noqa: E402

PLACE = HERE / "evenkeel" / "_recommender_parameters.py"
# Options whose text may be a number as well.
TYPES = {
    "negatives": "Union[int, str]",
    "evaluation_users": "Union[int, str]",
    "validation_users": "Union[int, str]",
    "debias": "Union[float, str]",
    "min_rating": "float",
}

HEAD = '''"""In: the engine's registry. Out: the parameters of Recommender as IDEs and type checkers see them.

Written by python/make_parameters.py; do not edit. A parameter that is None takes the engine's
default, which stands beside it.
"""

from __future__ import annotations

from typing import Literal, Optional, Union

from ._keywords import known_keywords
from ._params import Parameters

'''


def alias(field: dict[str, Any]) -> str:
    """LossName for loss: the choices are offered, and a variable of type str is taken, too."""
    return "".join(word.title() for word in field["name"].split("_")) + "Name"


def type_of(field: dict[str, Any]) -> str:
    if field["choices"]:
        return alias(field)
    return TYPES.get(field["name"], type(field["default"]).__name__)


def make() -> str:
    fields = registry()
    lines = [HEAD]
    for field in fields:
        if field["choices"]:
            choices = ", ".join(f'"{choice}"' for choice in field["choices"])
            one = f"{alias(field)} = Union[Literal[{choices}], str]"
            if len(one) > 100:
                one = f"{alias(field)} = Union[\n    Literal[{choices}],\n    str,\n]"
            lines.append(one + "\n")
    lines.append("\n\nclass RecommenderParameters(Parameters):\n")
    lines.append('    """The parameters; `Recommender` is what is made with them."""\n\n')
    lines += [f"    {field['name']}: Optional[{type_of(field)}]\n" for field in fields]
    lines.append("\n    @known_keywords\n    def __init__(\n        self,\n        *,\n")
    for field in fields:
        default = str(field["default"] if field["default"] != "" else "none")
        lines.append(f"        {field['name']}: Optional[{type_of(field)}] = None,  # {default}\n")
    lines.append('    ) -> None:\n        """Every option of `evenkeel train`.\n\n')
    lines.append(textwrap.indent(parameter_help(92), " " * 8) + '\n        """\n')
    lines += [f"        self.{field['name']} = {field['name']}\n" for field in fields]
    return "".join(lines)


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.write(make())
    else:
        PLACE.write_text(make())
