"""In: the pages about Python and the README. Out: proof that every snippet runs."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent
OPTIONAL = {"faiss", "implicit", "mlflow", "optuna", "sklearn", "torch", "wandb"}  # of recipes


def snippets(name):
    text = (ROOT / name).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    return [pytest.param(block, id=f"{name}-{n}") for n, block in enumerate(blocks)]


PAGES = ("docs/python.md", "docs/from-implicit.md", "README.md")


@pytest.mark.parametrize("code", [snippet for page in PAGES for snippet in snippets(page)])
def test_snippet_runs(code, tmp_path):
    for package in sorted(OPTIONAL):
        if re.search(rf"^(import|from) {package}\b", code, re.M):
            pytest.importorskip(package)
    (tmp_path / "snippet.py").write_text(code)
    subprocess.run([sys.executable, "snippet.py"], cwd=tmp_path, check=True)
