"""In: questions at the edge. Out: padded lists, clear refusals, lists that other tools take."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evenkeel as ek
from conftest import SMALL


def test_many_empty_places_are_refused(model):
    with pytest.raises(ek.ConfigError, match="give N up to"):
        model.recommend([1, 2], N=10**9)
    assert len(model.recommend(1, N=10**9)[0]) <= model.item_factors.shape[0]


def test_more_than_the_catalogue_is_padded(model, csr):
    users, items = csr.shape
    ids, scores = model.recommend(np.arange(5), csr[:5], N=items + 50)
    assert ids.shape == scores.shape == (5, items + 50)
    for user in range(5):
        left = items - csr[user].nnz
        assert (ids[user, :left] >= 0).all() and (ids[user, left:] == -1).all()
        assert np.isfinite(scores[user, :left]).all() and np.isneginf(scores[user, left:]).all()
    assert len(model.recommend(3, csr[3], N=10**9)[0]) == items - csr[3].nnz
    assert len(model.similar_items(3, N=10**6)[0]) == items
    assert model.similar_users([1, 2], N=users + 1)[0].shape == (2, users + 1)
    ids, _ = model.recommend(np.array([3]), N=4, items=[1, 2], filter_already_liked_items=False)
    assert set(ids[0]) == {1, 2, -1}


def test_no_items_to_choose_from(model):
    assert len(model.recommend(3, items=[])[0]) == 0
    ids, scores = model.recommend([3, 4], N=2, items=[])
    assert ids.tolist() == [[-1, -1]] * 2 and np.isneginf(scores).all()


@pytest.mark.parametrize("nested", [[[1, 2], [3, 4]], [[1, 2], [3]], np.zeros((2, 2), int)])
def test_items_are_one_list_for_everybody(model, nested):
    for option in ("items", "filter_items"):
        with pytest.raises(ek.DataError, match=f"{option}.*one list of ids that holds for every"):
            model.recommend([0, 1], **{option: nested})
    with pytest.raises(ek.DataError, match="one list of ids"):
        model.recommend(nested)
    assert set(model.recommend(0, N=2, items=5)[0]) <= {5}


def test_rows_of_a_matrix_are_int32(model, csr):
    for ids, _ in (
        model.recommend(3),
        model.recommend(np.arange(300)),
        model.similar_items([1, 2]),
        model.similar_users(4),
    ):
        assert ids.dtype == np.int32
    assert model.item_ids_.dtype == model.user_ids_.dtype == np.int32


def test_implicit_measures_our_models(model, market):
    evaluation = pytest.importorskip("implicit.evaluation")
    train, test = market["train"], market["test_id"]
    theirs = evaluation.ranking_metrics_at_k(model, train, test, K=10, show_progress=False)
    ours = ek.evaluate(model, test, k=10)
    # implicit's precision divides by what could be hit, its MAP is cut likewise.
    assert 0 < theirs["precision"] <= 1
    assert theirs["ndcg"] == pytest.approx(ours["ndcg@10"], rel=1e-5)
    beyond = evaluation.ranking_metrics_at_k(
        model, train, test, K=train.shape[1] + 5, show_progress=False
    )
    assert beyond["precision"] == 1


def test_implicit_trains_on_our_matrices(market):
    als = pytest.importorskip("implicit.als")
    als.AlternatingLeastSquares(factors=4, iterations=1, num_threads=1).fit(
        market["train"], show_progress=False
    )


# -- metrics take what recommend gives -------------------------------------------------------------


def test_metrics_take_padded_lists(model, csr, market):
    test = market["test_id"]
    users = np.flatnonzero(np.diff(test.indptr))
    ids, _ = model.recommend(users, N=csr.shape[1])  # nobody has that many left
    assert (ids == -1).any()
    figures, expected = ek.metrics(ids, test[users], k=10), ek.evaluate(model, test, k=10)
    for name in ("recall@10", "ndcg@10", "precision@10"):
        assert figures[name] == pytest.approx(expected[name])


def test_metrics_take_text_padding():
    padded = np.array([["a", "b", None, None], ["c", None, None, None]], dtype=object)
    assert ek.metrics(padded, [["b"], ["c"]], k=3) == ek.metrics(
        [["a", "b"], ["c"]], [["b"], ["c"]], k=3
    )
    with pytest.raises(ek.DataError, match="twice"):
        ek.metrics([["a", None, "b", None, "c"]], [["a"]])
    # Where an item is called -1 it is an item.
    assert ek.metrics([[4, -1]], [[-1]], k=2)["recall@2"] == 1


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 9), max_size=6, unique=True), min_size=1, max_size=5),
    st.integers(0, 4),
    st.sampled_from([-1, None]),
)
def test_padding_changes_no_figure(lists, places, mark):
    relevant = [[0, 1]] * len(lists)
    padded = [row + [mark] * places for row in lists]
    assert ek.metrics(padded, relevant, k=4) == ek.metrics(lists, relevant, k=4)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(n=st.integers(1, 400), users=st.lists(st.integers(0, 299), min_size=1, max_size=4))
def test_any_length_is_the_start_of_the_whole_list(model, n, users):
    whole, _ = model.recommend(users, N=400)
    some, _ = model.recommend(users, N=n)
    np.testing.assert_array_equal(some, whole[:, :n])


# -- many users at once are ranked in pieces -------------------------------------------------------


def test_pieces_of_many_users_fit_together(csr):
    model = ek.BCRecommender(**SMALL).fit(csr)
    many = np.tile(np.arange(csr.shape[0]), 5)
    ids, scores = model.recommend(many, csr[many], N=7, recalculate_user=True)
    for user in (0, 17, 299):
        one, its = model.recommend(user, csr[user], N=7, recalculate_user=True)
        for place in np.flatnonzero(many == user):
            np.testing.assert_array_equal(ids[place][: len(one)], one)


def test_one_is_as_many(model, csr):
    """One user or item goes a shorter way; it must end at the same list."""
    users, items = csr.shape
    for user in (0, 7, users - 1):
        for options in ({}, {"debias": 0.4}, {"filter_already_liked_items": False}):
            one = model.recommend(user, N=12, **options)
            many = model.recommend([user], N=12, **options)
            assert one[0].dtype == many[0].dtype and one[1].dtype == many[1].dtype
            assert one[0].tolist() == many[0][0].tolist()
            assert one[1].tolist() == many[1][0].tolist()
    for item in (0, items - 1):
        one, many = model.similar_items(item, N=9), model.similar_items([item], N=9)
        assert one[0].tolist() == many[0][0].tolist() and one[1].tolist() == many[1][0].tolist()
    for wrong in (-1, users, "0"):
        with pytest.raises(ek.DataError, match="is not in the model"):
            model.recommend(wrong)
    with pytest.raises(ek.ConfigError, match="N is 0"):
        model.recommend(0, N=0)


def test_far_words_are_not_guessed(csr):
    with pytest.raises(ek.ConfigError, match="'qqqqqq' is unknown; known: "):
        ek.BCRecommender(qqqqqq=1)
