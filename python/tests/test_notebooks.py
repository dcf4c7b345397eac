"""In: examples/notebooks. Out: proof that every cell runs, in order, and says what is written."""

import json
import pathlib
import subprocess
import sys

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def cells(path):
    return [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    # A last line that is an expression shows something in a notebook; here it only runs.
    code = "\n".join("".join(cell["source"]) for cell in cells(path))
    (tmp_path / "notebook.py").write_text(code)
    subprocess.run([sys.executable, "notebook.py"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_was_run_whole_and_in_order(path):
    counts = [cell["execution_count"] for cell in cells(path)]
    assert counts == list(range(1, len(counts) + 1))
    assert not any(out["output_type"] == "error" for cell in cells(path) for out in cell["outputs"])


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 2
