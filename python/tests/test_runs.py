"""In: run folders and an experiment file. Out: one page, one table."""

import pytest

import evenkeel as ek
from conftest import SMALL

PLAN = """
title = "tiny"
seeds = [1]
[common]
epochs = 2
dim = 8
[[data]]
name = "market"
path = "market"
[[encoder]]
name = "MF"
options = { encoder = "mf" }
[[method]]
name = "MostPop"
options = { loss = "most-pop" }
[[method]]
name = "BPR"
options = { loss = "bpr" }
"""


def test_report(tmp_path):
    ek.synthetic(users=100, items=80, interactions=400, out=str(tmp_path / "market"))
    ek.BCRecommender(**SMALL).fit(tmp_path / "market", out=tmp_path / "run")
    data = ek.report(tmp_path / "run", tmp_path / "report.html")
    assert len(data["runs"]) == 1
    assert "<html" in (tmp_path / "report.html").read_text()[:2000]
    with pytest.raises(ek.DataError, match="no run"):
        ek.report(tmp_path / "market", tmp_path / "none.html")


def test_experiment(tmp_path):
    ek.synthetic(users=100, items=80, interactions=400, out=str(tmp_path / "market"))
    (tmp_path / "plan.toml").write_text(PLAN)
    answer = ek.experiment(
        tmp_path / "plan.toml", tmp_path / "out", data_root=tmp_path, num_threads=1
    )
    assert answer["failures"] == [] and answer["missing"] == []
    assert (tmp_path / "out" / "table.md").exists()
