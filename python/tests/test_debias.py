"""In: trained models. Out: lists, figures and exports that follow the popularity correction."""

import numpy as np
import pytest

import evenkeel as ek


@pytest.fixture(scope="module")
def model():
    return ek.Recommender(epochs=4, random_state=1).fit(
        ek.synthetic(users=300, items=120, interactions=1500)
    )


def test_strength_moves_lists_to_rarer_items(model):
    users = model.user_ids_[:100]
    plain, scores = model.recommend(users, N=10)
    same, same_scores = model.recommend(users, N=10, debias=0)
    assert np.array_equal(plain, same) and np.array_equal(scores, same_scores)
    strong, _ = model.recommend(users, N=10, debias=1.0)
    assert not np.array_equal(plain, strong)


def test_figures_follow_the_strength(model):
    plain = ek.evaluate(model)
    strong = ek.evaluate(model, debias=1.0)
    assert strong["valid"]["mean_popularity@20"] < plain["valid"]["mean_popularity@20"]
    model.debias_ = 1.0
    try:
        assert ek.evaluate(model) == strong
        assert model.recommend(model.user_ids_[0])[0].shape == (10,)
    finally:
        model.debias_ = 0.0
    assert ek.evaluate(model) == plain


def test_rerankers_change_lists_and_figures(model):
    users = model.user_ids_[:50]
    plain, scores = model.recommend(users, N=10)
    same, same_scores = model.recommend(users, N=10, rerank="xquad", rerank_strength=0)
    assert np.array_equal(plain, same) and np.array_equal(scores, same_scores)
    full, _ = model.recommend(users, N=10, rerank="calibrated", rerank_strength=1.0)
    assert full.shape == plain.shape and not np.array_equal(plain, full)
    one, _ = model.recommend(users[3], N=10, rerank="calibrated", rerank_strength=1.0)
    assert list(one) == list(full[3])
    few, _ = model.recommend(
        users, N=10, rerank="compensation", rerank_strength=9, rerank_candidates=10
    )
    assert np.array_equal(np.sort(few, axis=1), np.sort(plain, axis=1))
    before = ek.evaluate(model)["valid"]["miscalibration@20"]
    after = ek.evaluate(model, rerank="calibrated", rerank_strength=1.0)["valid"][
        "miscalibration@20"
    ]
    assert after < before


@pytest.mark.parametrize(
    "wrong",
    [
        {"rerank": "calibratd"},
        {"rerank": 3},
        {"rerank_strength": 0.5},
        {"rerank": "xquad", "rerank_strength": float("nan")},
        {"rerank": "xquad", "rerank_strength": -1},
        {"rerank": "compensation", "rerank_strength": 1e9},
        {"rerank": "xquad", "rerank_strength": "much"},
        {"rerank": "xquad", "rerank_candidates": 0},
    ],
)
def test_wrong_rerankers_are_refused(model, wrong):
    with pytest.raises(ek.ConfigError):
        model.recommend(model.user_ids_[0], **wrong)
    with pytest.raises(ek.ConfigError):
        ek.evaluate(model, **wrong)


def test_people_without_a_row_are_reranked_by_their_items(model):
    from scipy.sparse import csr_matrix

    matrix = csr_matrix(([1.0, 1.0], ([0, 0], [1, 5])), shape=(1, len(model.item_ids_)))
    plain, _ = model.recommend([0], matrix, N=8, recalculate_user=True)
    strong, _ = model.recommend(
        [0], matrix, N=8, recalculate_user=True, rerank="compensation", rerank_strength=50
    )
    assert strong.shape == plain.shape and not np.array_equal(plain, strong)


def test_exports_rank_as_lists_do(model, tmp_path):
    model.export(tmp_path / "v.npz", debias=0.6)
    stored = np.load(tmp_path / "v.npz")
    users, items = stored["user_vectors"], stored["item_vectors"]
    assert users.shape[1] == model.user_factors.shape[1] + 1
    ids, scores = model.recommend(
        model.user_ids_[:5], N=5, debias=0.6, filter_already_liked_items=False
    )
    for row in range(5):
        order = np.argsort(-(users[row] @ items.T), kind="stable")[:5]
        assert list(model.item_ids_[order]) == list(ids[row])


def test_goal_chooses_a_strength():
    balanced = ek.Recommender(epochs=6, goal="balanced").fit(
        ek.synthetic(users=400, items=150, interactions=2500)
    )
    dial = balanced.result_["dial"]
    assert dial["goal"] == "balanced" and balanced.debias_ == dial["debias"]
    assert balanced.temperature_ == pytest.approx(balanced.result_["config"]["tau"])
    given = ek.Recommender(epochs=2, debias=0.3).fit(
        ek.synthetic(users=200, items=80, interactions=700)
    )
    assert given.debias_ == 0.3


@pytest.mark.parametrize("wrong", [float("nan"), -1, "much", True, 1e9])
def test_wrong_strengths_are_refused(model, wrong):
    with pytest.raises(ek.ConfigError):
        model.recommend(model.user_ids_[0], debias=wrong)
    with pytest.raises(ek.ConfigError):
        model.debias_ = wrong
