"""In: data sets. Out: copies through pickle, matrices that are the caller's own."""

import copy
import importlib.metadata
import pickle

import numpy as np
import pytest

import evenkeel as ek
from conftest import SMALL


def same(one, two):
    assert one.parts == two.parts and one.shape == two.shape and repr(one) == repr(two)
    assert one.user_ids.tolist() == two.user_ids.tolist()
    assert one.item_ids.tolist() == two.item_ids.tolist()
    assert one.item_ids.dtype == two.item_ids.dtype
    for part in one.parts:
        assert (one[part] != two[part]).nnz == 0
    assert one.stats() == two.stats()


def test_pickled_data_sets(market, pairs, csr, tmp_path):
    ek.split(pairs, out=tmp_path / "split")
    texts = np.char.add(np.char.add("\u00fc", pairs.astype(str)), "\udcff")
    forms = [market, ek.split(pairs, "balanced"), ek.split(csr), ek.split(texts, "random")]
    for data in forms:
        for twin in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data)):
            same(data, twin)
    twin = pickle.loads(pickle.dumps(market))
    a, b = ek.BCRecommender(**SMALL).fit(market), ek.BCRecommender(**SMALL).fit(twin)
    np.testing.assert_array_equal(a.item_factors, b.item_factors)
    assert ek.evaluate(a, twin) == ek.evaluate(a, market)


def test_a_damaged_pickle_is_refused(market):
    restore, (name, users, items, parts) = market.__reduce__()
    train, indptr, indices = parts[0]
    wrong = indices.copy()
    wrong[0] = 10**6
    for damaged in (
        [(train, indptr, wrong), *parts[1:]],
        [(train, indptr[:-1], indices), *parts[1:]],
        parts[:1],
    ):
        with pytest.raises(ek.DataError):
            restore(name, users, items, damaged)


def test_matrices_are_the_callers_own(market):
    csr = market["train"]
    assert csr.indices.flags.writeable and csr.indptr.flags.writeable
    csr.data[::2] = 0
    csr.eliminate_zeros()
    csr.sort_indices()
    csr.indices[:] = 0
    again = market["train"]
    assert again.nnz > csr.nnz and again.indices.max() > 0


def test_read_only_matrices_are_read(csr):
    locked = csr.copy()
    for array in (locked.data, locked.indices, locked.indptr):
        array.flags.writeable = False
    a, b = ek.BCRecommender(**SMALL).fit(locked), ek.BCRecommender(**SMALL).fit(csr)
    np.testing.assert_array_equal(a.item_factors, b.item_factors)
    np.testing.assert_array_equal(a.recommend([1], locked[[1]])[0], b.recommend([1], csr[[1]])[0])
    zeroed = csr.copy()
    zeroed.data[::3] = 0
    zeroed.data.flags.writeable = False
    zeroed.indices.flags.writeable = False
    assert ek.stats(zeroed)["interactions"] == (zeroed.data != 0).sum()


def test_what_the_first_snippet_needs_is_installed():
    needed = [line for line in importlib.metadata.requires("evenkeel-cf") if "extra ==" not in line]
    assert any(line.startswith("scipy") for line in needed)
    assert any(line.startswith("numpy") for line in needed)


def test_progress_without_tqdm(csr, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    ek.BCRecommender(**SMALL).fit(csr, show_progress=True)
    told = capsys.readouterr().err
    assert "epoch 6 of 6, loss " in told and told.endswith("\n")


def test_a_folder_is_read_and_written(market, tmp_path):
    market.save(tmp_path / "market")
    again = ek.Dataset.load(tmp_path / "market")
    assert again.parts == market.parts and "train" in again and "other" not in again
    assert again.stats()["parts"] == market.stats()["parts"]
    small = dict(dim=8, epochs=2, num_threads=1)
    ours, theirs = (ek.Recommender(**small).fit(data) for data in (market, tmp_path / "market"))
    assert ek.evaluate(ours)["valid"] == ek.evaluate(theirs)["valid"]
    with pytest.raises(ek.ConfigError, match="Dataset.load: .*did you mean 'k_core'"):
        ek.Dataset.load(tmp_path / "market", k_cor=3)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(ek.Error):
        market.save(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").exists()


def test_own_matrices(market):
    tests = {name: market[name] for name in ("test_unbiased", "test_ood", "test_id")}
    data = ek.Dataset.of(market["train"], market["valid"], tests)
    assert data.parts == market.parts
    assert (data["test_ood"] != market["test_ood"]).nnz == 0
    ours = ek.Recommender(dim=8, epochs=2, num_threads=1).fit(data)
    theirs = ek.Recommender(dim=8, epochs=2, num_threads=1).fit(market)
    np.testing.assert_array_equal(ours.item_factors, theirs.item_factors)
    assert ek.evaluate(ours) == ek.evaluate(theirs)
    assert ek.Dataset.of(market["train"]).parts == ["train"]
    twin = pickle.loads(pickle.dumps(data))
    assert (twin["valid"] != data["valid"]).nnz == 0


def test_own_matrices_are_checked(csr):
    with pytest.raises(ek.DataError, match="begin with 'test'"):
        ek.Dataset.of(csr, tests={"holdout": csr})
    with pytest.raises(ek.DataError, match="transposed"):
        ek.Dataset.of(csr, csr.T)
    with pytest.raises(ek.DataError, match="train is an array of pairs"):
        ek.Dataset.of([[1, 2]])
