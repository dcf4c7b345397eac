"""In: our models. Out: proof that `implicit.evaluation` runs on them and agrees with ours."""

import pickle

import numpy as np
import pandas as pd
import pytest

import evenkeel as ek
from conftest import SMALL

implicit_evaluation = pytest.importorskip("implicit.evaluation", reason="implicit is not installed")


def theirs(model, train, test, k):
    return implicit_evaluation.ranking_metrics_at_k(
        model, train, test, K=k, show_progress=False, num_threads=1
    )


@pytest.fixture(scope="module")
def named(market):
    return ek.Recommender(**SMALL).fit(market)


def test_ndcg_and_map_agree(market, named):
    seen = sum(market[part] for part in market.parts if part != "test_ood")  # what ours mask
    figures = theirs(ek.as_implicit(named), seen, market["test_ood"], 20)
    ours = ek.evaluate(named, market)["test_ood"]
    assert figures["ndcg"] == pytest.approx(ours["ndcg@20"], rel=1e-9)
    assert figures["map"] == pytest.approx(ours["map@20"], rel=1e-9)


def test_their_precision_is_our_recall_where_one_item_is_held_out(pairs):
    data = ek.split(pairs, "leave-one-out")
    model = ek.Recommender(**SMALL).fit(data)
    figures = theirs(ek.as_implicit(model), data["train"] + data["valid"], data["test"], 10)
    ours = ek.evaluate(model, data, k=10)["test"]
    assert figures["precision"] == pytest.approx(ours["recall@10"], rel=1e-9)
    assert figures["precision"] == pytest.approx(ours["hr@10"], rel=1e-9)
    assert figures["ndcg"] == pytest.approx(ours["ndcg@10"], rel=1e-9)


def test_a_matrix_model_needs_no_adapter(model, csr, market):
    plain = theirs(model, csr, market["test_id"], 10)
    assert plain == theirs(ek.as_implicit(model), csr, market["test_id"], 10)
    ours = ek.evaluate(model, market["test_id"], k=10)
    assert plain["ndcg"] == pytest.approx(ours["ndcg@10"], rel=1e-9)


def test_rows_instead_of_ids(market, named):
    rows = ek.as_implicit(named)
    ids, _ = named.recommend(market.user_ids[3], N=5)
    numbers, _ = rows.recommend(3, N=5)
    assert market.item_ids[numbers].tolist() == ids.tolist()
    assert numbers.dtype == np.int32
    assert market.item_ids[rows.similar_items(4)[0]].tolist() == (
        named.similar_items(market.item_ids[4])[0].tolist()
    )
    twin = pickle.loads(pickle.dumps(rows))
    np.testing.assert_array_equal(twin.recommend(3)[0], rows.recommend(3)[0])
    wide, _ = rows.recommend([1, 2], N=500)  # implicit reads N places
    assert wide.shape == (2, 500) and (wide[:, -1] == -1).all()


def test_matrix_of_pairs_and_tables(market, named):
    test = market["test_id"].tocoo()
    frame = pd.DataFrame({"user": market.user_ids[test.row], "item": market.item_ids[test.col]})
    stranger = pd.DataFrame({"user": ["nobody"], "item": [market.item_ids[0]]})
    rows = ek.as_implicit(named)
    made = rows.matrix(pd.concat([frame, frame.head(3), stranger]))
    assert (made != market["test_id"]).nnz == 0
    assert (rows.matrix(frame.to_numpy()) != market["test_id"]).nnz == 0
    with pytest.raises(ek.DataError, match="already"):
        rows.matrix(made)
