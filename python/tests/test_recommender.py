"""In: a fitted model. Out: proof that it behaves as `implicit` and scikit-learn users expect."""

import copy
import pickle

import numpy as np
import pytest

import evenkeel as ek
from conftest import SMALL, block_matrix


def test_fit_returns_self_and_learns():
    csr = block_matrix()
    model = ek.BCRecommender(dim=16, epochs=30, negatives=8, l2=0.0, lr=0.01, num_threads=1)
    assert model.fit(csr) is model
    ids, scores = model.recommend(np.arange(120), csr, N=10)
    assert ids.shape == scores.shape == (120, 10)
    assert (np.diff(scores, axis=1) <= 0).all()
    own_block = ids // 20 == (np.arange(120) % 3)[:, None]
    assert own_block.mean() > 0.8  # 12 of the 60 items left are of the own block: chance is 0.23
    liked = csr.toarray().astype(bool)
    assert not any(liked[user, ids[user]].any() for user in range(120))


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def test_scores_are_the_models_scores(model, csr):
    ids, scores = model.recommend(7, N=5)
    users, items = model.user_factors, model.item_factors
    expected = unit(items[ids]) @ unit(users[7])
    assert model.score_ == "cosine"
    np.testing.assert_allclose(scores, expected, rtol=1e-5)
    assert ids.shape == (5,)


def test_implicit_style_call(model, csr):
    ids, scores = model.recommend(np.arange(100), csr[:100], N=20)
    same, _ = model.recommend(np.arange(100), csr[np.arange(100)], N=20)
    np.testing.assert_array_equal(ids, same)
    assert ids.dtype.kind == "i" and scores.dtype == np.float32
    kept, _ = model.recommend(3, csr[3], N=200, filter_already_liked_items=False)
    assert len(kept) == 200


def test_filters(model):
    ids, _ = model.recommend(3, N=5)
    without, _ = model.recommend(3, N=5, filter_items=ids[:2])
    assert set(ids[2:]) <= set(without) and not set(ids[:2]) & set(without)
    among = np.array([5, 1, 9, 33])
    some, _ = model.recommend(3, N=4, items=among, filter_already_liked_items=False)
    assert set(some) == set(among)


def test_missing_places_are_marked(model, csr):
    liked = csr[3].indices
    ids, scores = model.recommend(np.array([3]), N=len(liked), items=liked)
    assert (ids == -1).all() and np.isneginf(scores).all()
    one, _ = model.recommend(3, N=len(liked), items=liked)
    assert len(one) == 0


def test_similar(model):
    ids, scores = model.similar_items(4, N=6)
    assert ids[0] == 4 and scores[0] == pytest.approx(1, abs=1e-5)
    ids, scores = model.similar_users(np.array([2, 5]), N=3)
    assert ids[:, 0].tolist() == [2, 5] and ids.shape == (2, 3)


def test_parameters_follow_the_registry():
    from evenkeel._params import registry

    names = [field["name"] for field in registry()]
    assert sorted(names) == sorted(ek.BCRecommender().get_params())
    for field in registry():
        assert f"{field['name']} : " in ek.BCRecommender.__doc__
        assert repr(field["default"]) in ek.BCRecommender.__doc__


def test_scikit_learn_clone_and_grid():
    from sklearn.base import clone
    from sklearn.model_selection import ParameterGrid

    model = ek.BCRecommender(dim=8, tau=0.2)
    twin = clone(model)
    assert twin is not model and twin.get_params() == model.get_params()
    for point in ParameterGrid({"tau": [0.1, 0.2], "loss": ["bc", "softmax"]}):
        assert model.set_params(**point).get_params()["tau"] == point["tau"]
    with pytest.raises(ek.ConfigError, match="unknown"):
        model.set_params(taau=1)


def test_pickle_and_deepcopy(model):
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(twin.item_factors, model.item_factors)
        np.testing.assert_array_equal(twin.recommend(5)[0], model.recommend(5)[0])
        assert twin.get_params() == model.get_params() and twin.best_epoch_ == model.best_epoch_
    assert pickle.loads(pickle.dumps(ek.BCRecommender(dim=3))).dim == 3


def test_save_and_load(model, tmp_path):
    model.save(tmp_path / "m.safetensors")
    twin = ek.BCRecommender.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(twin.user_factors, model.user_factors)
    assert twin.recommend(5)[0].tolist() == model.recommend(5)[0].tolist()


def test_factors_are_views_that_outlive_the_model(csr):
    model = ek.BCRecommender(**SMALL).fit(csr)
    items = model.item_factors
    assert not items.flags.owndata and not items.flags.writeable
    before = items.copy()
    del model
    np.testing.assert_array_equal(items, before)


def test_fold_in(market):
    csr = market["train"]
    model = ek.BCRecommender(dim=32, epochs=30, num_threads=1).fit(csr)
    vectors = model.partial_fit_users(csr[:50])
    assert vectors.shape == (50, 32)
    again, _ = model.recommend(np.arange(50), csr[:50], N=20, recalculate_user=True)
    trained, _ = model.recommend(np.arange(50), csr[:50], N=20)
    shared = np.mean([len(set(a) & set(b)) for a, b in zip(again, trained)])
    assert shared > 8  # chance is 20 * 20 / 200 = 2
    assert model.partial_fit_users([[0, 1], []])[1].tolist() == [0.0] * 32


def test_a_run_folder_restores_parameters_and_figures(csr, tmp_path):
    fitted = ek.Recommender(**SMALL, validation=0.2).fit(csr, out=tmp_path / "run")
    loaded = ek.Recommender.load(tmp_path / "run")
    assert loaded.result_ == fitted.result_ and loaded.best_epoch_ == fitted.best_epoch_
    for name, value in SMALL.items():
        assert str(getattr(loaded, name)) == str(value), name
    assert "dim=" in repr(loaded) and "min_rating" not in repr(loaded)
    assert [e["epoch"] for e in loaded.history_] == [e["epoch"] for e in fitted.history_]
    assert [e["loss"] for e in loaded.history_] == [e["loss"] for e in fitted.history_]
    validated = [e["recall@20"] for e in fitted.history_ if "recall@20" in e]
    assert [e["recall@20"] for e in loaded.history_ if "recall@20" in e] == validated
    again = loaded.fit(csr)
    np.testing.assert_array_equal(again.item_factors, fitted.item_factors)


def test_load_is_that_of_the_class(csr, tmp_path):
    model = ek.Recommender(**SMALL).fit(csr, out=tmp_path / "run")
    loaded = ek.load(tmp_path / "run")
    assert type(loaded) is ek.Recommender
    assert loaded.dim == model.dim and loaded.best_epoch_ == model.best_epoch_
    np.testing.assert_array_equal(loaded.recommend(3)[0], model.recommend(3)[0])


def test_a_notebook_shows_parameters_and_figures(csr):
    model = ek.Recommender(**SMALL)
    assert "<th>dim</th>" in model._repr_html_()
    shown = model.fit(csr)._repr_html_()
    assert "recall@20" in shown and "users x" in shown


def test_a_damaged_result_is_a_sentence(csr, tmp_path):
    ek.Recommender(**SMALL).fit(csr, out=tmp_path / "run")
    (tmp_path / "run" / "result.json").write_text("[]")
    with pytest.raises(ek.DataError, match="train again"):
        ek.Recommender.load(tmp_path / "run")


def test_lines_that_are_no_events_are_passed_over(csr, tmp_path):
    fitted = ek.Recommender(**SMALL).fit(csr, out=tmp_path / "run")
    with open(tmp_path / "run" / "events.jsonl", "a") as events:
        events.write('[1]\n{"loss": 1}\n{"epoch": 7, "lo')
    loaded = ek.Recommender.load(tmp_path / "run")
    assert len(loaded.history_) == len(fitted.history_)
