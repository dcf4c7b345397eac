"""In: data in every form. Out: the same model from each, news on the way, a clean stop."""

import os
import signal
import subprocess
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenkeel as ek
from conftest import SMALL


def ordered_by_first_sight(pairs):
    """Pairs whose item numbers follow their first appearance, so that rows agree everywhere."""
    _, first, inverse = np.unique(pairs[:, 1], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    users = np.unique(pairs[:, 0], return_inverse=True)[1]
    return np.column_stack([users, rank[inverse]])


@pytest.fixture(scope="module")
def tidy(pairs):
    return ordered_by_first_sight(pairs)


def csr_of(pairs):
    from scipy.sparse import csr_matrix

    return csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])))


def forms(tidy):
    frame = {"user": tidy[:, 0], "item": tidy[:, 1]}
    csr = csr_of(tidy)
    wide = csr.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    texts = {"user": [f"u{u}" for u in tidy[:, 0]], "item": [f"i{i}" for i in tidy[:, 1]]}
    return {
        "csr": csr,
        "csr64": wide,
        "coo": csr.tocoo(),
        "pairs": tidy,
        "pairs32": tidy.astype(np.int32),
        "fortran": np.asfortranarray(tidy),
        "pandas": pd.DataFrame(frame),
        "categories": pd.DataFrame(texts).astype("category"),
        "polars": pl.DataFrame(frame),
        "pyarrow": pa.table(frame),
        "text": pl.DataFrame(texts),
        "long text": pl.DataFrame({k: ["long id " * 3 + t for t in v] for k, v in texts.items()}),
    }


def test_every_form_gives_the_same_bits(tidy):
    models = {name: ek.BCRecommender(**SMALL).fit(data) for name, data in forms(tidy).items()}
    for name, model in models.items():
        np.testing.assert_array_equal(model.item_factors, models["csr"].item_factors, err_msg=name)
    ids, _ = models["text"].recommend("u5", N=3)
    rows, _ = models["csr"].recommend(5, N=3)
    assert ids.tolist() == [f"i{row}" for row in rows]
    assert models["pandas"].recommend(5, N=3)[0].dtype.kind == "i"


def test_read_only_and_strided_arrays(tidy):
    wide = np.zeros((len(tidy), 4), np.int64)
    wide[:, ::2] = tidy
    strided = wide[:, ::2]
    strided.flags.writeable = False
    csr = csr_of(tidy)
    csr.indices.flags.writeable = False
    a, b = ek.BCRecommender(**SMALL).fit(strided), ek.BCRecommender(**SMALL).fit(csr)
    np.testing.assert_array_equal(a.item_factors, b.item_factors)


def test_thread_count_changes_nothing(csr):
    one = ek.BCRecommender(**SMALL).fit(csr)
    two = ek.BCRecommender(**{**SMALL, "num_threads": 2}).fit(csr)
    np.testing.assert_array_equal(one.item_factors, two.item_factors)


def test_same_bits_as_the_command_line(tidy, program, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    with open(folder / "train.txt", "w") as file:
        for user in np.unique(tidy[:, 0]):
            items = tidy[tidy[:, 0] == user][:, 1]
            file.write(" ".join(map(str, [user, *items])) + "\n")
    run = tmp_path / "run"
    options = "--dim 16 --epochs 6 --negatives 8 --threads 1 --quiet".split()
    subprocess.run([program, "train", folder, "--out", run, *options], check=True)
    theirs = ek.BCRecommender.load(run)
    for data in (csr_of(tidy), str(folder)):
        ours = ek.BCRecommender(**SMALL).fit(data)
        np.testing.assert_array_equal(ours.user_factors, theirs.user_factors)
        np.testing.assert_array_equal(ours.item_factors, theirs.item_factors)
    ids, scores = theirs.recommend("5", N=4)
    ours.save(tmp_path / "m.safetensors")
    told = subprocess.run(
        [program, "recommend", tmp_path / "m.safetensors", "--user", "5", "--k", "4"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert told[::2] == ids.tolist()
    np.testing.assert_allclose(np.array(told[1::2], float), scores, rtol=1e-6)


def test_out_writes_a_run_that_the_command_line_reads(csr, program, tmp_path):
    ek.BCRecommender(**SMALL).fit(csr, out=str(tmp_path / "run"))
    assert sorted(os.listdir(tmp_path / "run")) == [
        "checkpoint.safetensors",
        "config.toml",
        "events.jsonl",
        "model.safetensors",
        "result.json",
    ]
    subprocess.run([program, "similar", tmp_path / "run", "--item", "3"], check=True)
    with pytest.raises(ek.ConfigError, match="finished run"):
        ek.BCRecommender(**SMALL).fit(csr, out=str(tmp_path / "run"))


def test_callback_sees_epochs_and_stops(csr):
    seen = []

    def callback(epoch, info):
        seen.append((epoch, info["loss"], info.get("recall@20")))
        return epoch == 3

    model = ek.BCRecommender(**{**SMALL, "epochs": 50}).fit(csr, callback=callback)
    assert [epoch for epoch, _, _ in seen] == [1, 2, 3]
    assert len(model.history_) == 3 and model.result_["epochs"] == 3


def test_callback_that_raises_leaves_a_model(csr):
    model = ek.BCRecommender(**{**SMALL, "eval_every": 1})

    def callback(epoch, info):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.fit(csr, callback=callback)
    assert model.recommend(3)[0].shape == (10,)


@pytest.fixture
def interruptible():
    """Ctrl-C as at a prompt: what a shell starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_keyboard_interrupt_leaves_a_model(market, interruptible):
    model = ek.BCRecommender(epochs=100000, patience=100000, eval_every=1000, num_threads=1)
    timer = threading.Timer(0.8, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(market["train"])
    assert np.isfinite(model.item_factors).all()
    assert model.recommend(3)[0].shape == (10,)


def test_validation_by_hand(market):
    model = ek.BCRecommender(**SMALL).fit(market["train"], valid=market["valid"])
    assert model.result_["evaluations"]["valid"]["users"] > 0
    whole = ek.BCRecommender(**SMALL).fit(market)
    np.testing.assert_array_equal(whole.item_factors, model.item_factors)
    assert "test_ood" in whole.result_["evaluations"]


def test_progress_bar(csr, capsys):
    ek.BCRecommender(**SMALL).fit(csr, show_progress=True)
    assert "epoch" in capsys.readouterr().err
