"""In: docs/python.md, the README and the examples. Out: proof that every snippet runs."""

import os
import pathlib
import re
import runpy
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent
OPTIONAL = {"faiss", "mlflow", "optuna", "sklearn", "torch"}  # of recipes


def snippets(name):
    text = (ROOT / name).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    return [pytest.param(block, id=f"{name}-{n}") for n, block in enumerate(blocks)]


@pytest.mark.parametrize("code", snippets("docs/python.md") + snippets("README.md"))
def test_snippet_runs(code, tmp_path):
    for package in sorted(OPTIONAL):
        if re.search(rf"^(import|from) {package}\b", code, re.M):
            pytest.importorskip(package)
    (tmp_path / "snippet.py").write_text(code)
    subprocess.run([sys.executable, "snippet.py"], cwd=tmp_path, check=True)


def test_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "dataframe_to_report.py"), run_name="__main__")
    assert os.listdir(tmp_path)
