"""In: the registry, the package, the examples. Out: proof that IDEs and type checkers see it all."""

import inspect
import os
import pathlib
import runpy
import subprocess
import sys
import typing

import pytest

import evenkeel as ek

ROOT = pathlib.Path(__file__).parent.parent.parent
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))


def test_the_written_parameters_are_the_registry():
    maker = runpy.run_path(str(ROOT / "python" / "make_parameters.py"))
    written = maker["PLACE"].read_text()
    assert written == maker["make"](), "run python/make_parameters.py"


def test_the_signature_says_types_and_help():
    parameters = inspect.signature(ek.Recommender).parameters
    assert parameters["dim"].annotation == "Optional[int]"
    assert "dim : int, default 64" in ek.Recommender.__init__.__doc__
    hints = typing.get_type_hints(ek.Recommender.__init__)
    assert set(hints) - {"return"} == set(parameters)
    assert "bc" in str(hints["loss"]) and "str" in str(hints["loss"])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example_runs(script, tmp_path):
    if "sklearn" in script.read_text():
        pytest.importorskip("sklearn")
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, check=True)
    assert os.listdir(tmp_path)


def test_scripts_of_users_pass_mypy_strict(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "script.py").write_text(USER)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
        + [str(path) for path in (*SCRIPTS, tmp_path / "script.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 1 and checked.stdout.count("error:") == 1, checked.stdout
    assert 'script.py:18: error: Argument "dim" to "Recommender"' in checked.stdout


USER = """from pathlib import Path
from typing import Any, Optional
import evenkeel as ek

class Mine(ek.Recommender):
    pass

def train(data: ek.Dataset, out: Path, loss: str) -> Mine:
    model = Mine(loss=loss, tau=0.1).set_params(dim=8)
    return model.fit(data, out=out, callback=lambda epoch, info: epoch > 3)

model = train(ek.synthetic(), Path("run"), "bc")
dim: Optional[int] = model.dim
figures: dict[str, Any] = model.result_
epoch: int = model.best_epoch_
loaded: Mine = Mine.load(Path("run"))
for loss in ("bc", "bpr"): ek.Recommender(loss=loss)
ek.Recommender(dim="sixty-four")
"""
