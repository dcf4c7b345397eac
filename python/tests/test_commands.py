"""In: folders. Out: proof that auto, sweep, resume, prepare and serve are reachable from Python."""

import json
import signal
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest

import evenkeel as ek
from conftest import SMALL

QUICK = ek.Recommender(**SMALL)


@pytest.fixture(scope="module")
def folder(market, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "market"
    market.save(path)
    return path


def test_auto_chooses_and_leaves_a_run(folder, tmp_path):
    model = ek.auto(folder, tmp_path / "run", model=QUICK, budget=2)
    assert model.dim == 16 and model.result_["evaluations"]
    assert (tmp_path / "run" / "model.safetensors").exists()
    with pytest.raises(ek.Error, match="run"):  # there is one already
        ek.auto(folder, tmp_path / "run", model=QUICK, budget=2)
    ek.auto(folder, tmp_path / "run", model=QUICK, budget=1, overwrite=True)


def test_sweep_ranks_on_validation(folder, tmp_path):
    (answer,) = ek.sweep(folder, {"tau": [0.1, 0.4]}, tmp_path / "sweep", model=QUICK)
    figures = [row["valid"]["recall@20"] for row in answer["ranking"]]
    assert {row["options"]["tau"] for row in answer["ranking"]} == {0.1, 0.4}
    assert figures == sorted(figures, reverse=True)
    with pytest.raises(ek.ConfigError, match="did you mean 'tau'"):
        ek.sweep(folder, {"taau": [1]}, tmp_path / "other")


def test_errors_of_the_program_are_exceptions(tmp_path):
    with pytest.raises(ek.DataError, match="absent"):
        ek.auto(tmp_path / "absent", tmp_path / "run")
    with pytest.raises(ek.ConfigError, match="budget"):
        ek.auto(tmp_path, tmp_path / "run", budget="soon")


def test_a_stopped_training_goes_on(folder, csr, tmp_path):
    whole = ek.Recommender(**SMALL, checkpoint_seconds=0).fit(folder)

    def stop(epoch, info):
        if epoch == 2:
            raise KeyboardInterrupt

    for data, go_on in (
        (folder, lambda: ek.resume(tmp_path / "run")),
        (folder, lambda: QUICK.fit(folder, out=tmp_path / "run", resume=True)),
    ):
        with pytest.raises(KeyboardInterrupt):
            ek.Recommender(**SMALL, checkpoint_seconds=0).fit(
                data, out=tmp_path / "run", overwrite=True, callback=stop
            )
        assert (tmp_path / "run" / "checkpoint.safetensors").exists()
        np.testing.assert_array_equal(go_on().item_factors, whole.item_factors)
    with pytest.raises(ek.ConfigError, match="out="):
        QUICK.fit(csr, resume=True)


def test_prepared_data_trains_the_same_model(tmp_path):
    lines = [f"u{u},i{i}\n" for u in range(40) for i in range(30) if (u * i + i // 3 + u) % 7 > 3]
    (tmp_path / "log.csv").write_text("user,item\n" + "".join(lines))
    path = ek.prepare(tmp_path / "log.csv", tmp_path / "prepared")
    ours = ek.Recommender(**SMALL).fit(path)
    theirs = ek.Recommender(**SMALL).fit(tmp_path / "log.csv")
    np.testing.assert_array_equal(ours.item_factors, theirs.item_factors)
    assert ek.Dataset.load(path).shape == (len(ours.user_ids_), len(ours.item_ids_))


def test_a_server_answers_until_it_is_stopped(market, tmp_path):
    model = ek.Recommender(**SMALL).fit(market)
    user = market.user_ids[3]
    with ek.serve(model, num_threads=1) as server:
        with urllib.request.urlopen(f"{server.url}/recommend?user={user}&k=4") as answer:
            told = json.load(answer)
        ids = model.recommend(user, N=4)[0].tolist()
        assert [item["item"] for item in told["items"]] == ids
    with pytest.raises(OSError):
        urllib.request.urlopen(server.url, timeout=2)
    assert "stopped" in repr(server)
    with pytest.raises(ek.Error, match="absent"):
        ek.serve(tmp_path / "absent")


def test_control_c_reaches_the_program(tmp_path):
    code = "import evenkeel as ek; ek.resume('run', epochs=1000000)"
    ek.synthetic(users=100, items=80, interactions=400, out=tmp_path / "market")
    model = ek.Recommender(**SMALL, patience=1000000, checkpoint_seconds=0)
    model.fit(tmp_path / "market", out=tmp_path / "run")
    before = (tmp_path / "run" / "checkpoint.safetensors").stat().st_mtime_ns
    going = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    place = tmp_path / "run" / "checkpoint.safetensors"
    while place.stat().st_mtime_ns == before and time.monotonic() < deadline:
        time.sleep(0.02)
    going.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in going.communicate(timeout=30)[1]
    assert going.returncode != 0
