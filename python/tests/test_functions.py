"""In: models, lists and logs. Out: the engine's figures, checked by hand."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import evenkeel as ek
from conftest import SMALL


def test_metrics_by_hand():
    got = ek.metrics([["a", "b", "c"], ["x", "y"]], [["b", "z"], ["x"]], k=3)
    assert got["recall@3"] == pytest.approx((0.5 + 1) / 2)
    assert got["mrr@3"] == pytest.approx((0.5 + 1) / 2)
    assert got["hr@3"] == 1 and got["users"] == 2
    ideal = 1 + 1 / np.log2(3)
    assert got["ndcg@3"] == pytest.approx(((1 / np.log2(3)) / ideal + 1) / 2)


def test_evaluate_agrees_with_metrics(model, market):
    figures = ek.evaluate(model, market["test_id"], k=10)
    test = market["test_id"]
    users = np.flatnonzero(np.diff(test.indptr))
    ids, _ = model.recommend(users, N=10)
    by_hand = ek.metrics(ids, test[users], k=10)
    for name in ("recall@10", "ndcg@10", "map@10"):
        assert figures[name] == pytest.approx(by_hand[name])
    assert set(figures["groups"]["items"]) == {"head", "mid", "tail"}
    assert "groups" not in ek.evaluate(model, test, groups=False)


def test_evaluate_takes_every_form(market):
    model = ek.BCRecommender(**SMALL).fit(market)
    parts = ek.evaluate(model, market)
    assert set(parts) == {"valid", "test_id", "test_ood", "test_unbiased"}
    test = market["test_unbiased"].tocoo()
    frame = pd.DataFrame({"user": market.user_ids[test.row], "item": market.item_ids[test.col]})
    assert ek.evaluate(model, frame)["users"] == parts["test_unbiased"]["users"]


def test_split_and_stats(pairs, tmp_path):
    data = ek.split(pairs, "balanced", random_state=5, out=str(tmp_path / "split"))
    assert data.parts == ["train", "valid", "test_id", "test_ood"]
    assert sum(data[part].nnz for part in data.parts) == len(pairs)
    assert data.item_ids.dtype.kind == "i"
    stats = ek.stats(data)
    assert stats["users"] == data.shape[0] and len(stats["parts"]) == 4
    assert ek.stats(tmp_path / "split")["interactions"] == len(pairs)


def test_temporal_split_needs_times(pairs):
    frame = pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "when": np.arange(len(pairs))})
    data = ek.split(frame, "temporal", time_column="when")
    assert data["test"].nnz == round(0.2 * len(pairs))
    with pytest.raises(ek.DataError, match="time"):
        ek.split(frame, "temporal")


def test_synthetic_is_seeded():
    one, two = (ek.synthetic(users=50, items=80, interactions=150, random_state=s) for s in (1, 2))
    assert (
        one["train"].nnz > 0
        and (
            one["train"]
            != ek.synthetic(users=50, items=80, interactions=150, random_state=1)["train"]
        ).nnz
        == 0
    )
    assert one.user_ids.tolist() != two.user_ids.tolist() or one["train"].nnz != two["train"].nnz


def _log_file(folder, seed=0):
    rng = np.random.default_rng(seed)
    lines = {(u, int(i)) for u in range(60) for i in (rng.random(14) ** 2 * 40)}
    path = folder / "log.csv"
    path.write_text("user,item\n" + "".join(f"u{u},i{i}\n" for u, i in sorted(lines)))
    return path, {(f"u{u}", f"i{i}") for u, i in lines}


def _figures(answer):
    return {part: {k: v for k, v in f.items() if k != "groups"} for part, f in answer.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_figure_however_it_is_asked_for(tmp_path, seed):
    path, _ = _log_file(tmp_path)
    model = ek.Recommender(epochs=2, dim=8, negatives=4, random_state=seed)
    model.fit(path, out=tmp_path / "run")
    recorded = model.result_["evaluations"]
    loaded = ek.Recommender.load(tmp_path / "run")
    for asked in (model, loaded):
        assert _figures(ek.evaluate(asked)) == recorded
        assert _figures(ek.evaluate(asked, path)) == recorded


def test_a_shuffled_log_is_refused(tmp_path):
    path, _ = _log_file(tmp_path)
    model = ek.Recommender(epochs=1, dim=8, negatives=4).fit(path)
    header, *rows = path.read_text().split()
    np.random.default_rng(3).shuffle(rows)
    path.write_text("\n".join([header, *rows]) + "\n")
    with pytest.raises(ek.DataError, match="trained the model"):
        ek.evaluate(model, path)
    with pytest.warns(UserWarning, match="trained the model"):
        ek.evaluate(model, path, allow_overlap=True)


def test_a_training_matrix_is_no_test():
    train = scipy.sparse.random(40, 30, 0.3, format="csr", random_state=1)
    model = ek.Recommender(epochs=1, dim=8, negatives=4, validation=0).fit(train)
    with pytest.raises(ek.DataError, match="100.0 %"):
        ek.evaluate(model, train)


@pytest.mark.parametrize("refit", [False, True])
def test_lists_hold_nothing_that_the_log_holds(tmp_path, refit):
    path, pairs = _log_file(tmp_path)
    model = ek.Recommender(epochs=2, dim=8, negatives=4, refit=refit).fit(path)
    users = model.user_ids_
    ids, _ = model.recommend(users, N=10)
    assert not {(u, i) for u, row in zip(users, ids) for i in row if i is not None} & pairs
