"""In: scikit-learn's tools. Out: proof that they take our models for estimators."""

import os
import pathlib
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenkeel as ek

sklearn = pytest.importorskip("sklearn")

SHARED = pathlib.Path(
    os.environ.get("EVENKEEL_SHARED", pathlib.Path(__file__).parents[2].parent / "shared")
)
QUICK = dict(dim=8, epochs=2, negatives=4, num_threads=1)


def test_tags_and_fitted(csr):
    from sklearn.base import clone, is_classifier, is_regressor
    from sklearn.exceptions import NotFittedError
    from sklearn.utils import get_tags
    from sklearn.utils.validation import check_is_fitted

    model = ek.BCRecommender(**QUICK)
    tags = get_tags(model)
    assert tags.input_tags.sparse and not tags.target_tags.required
    assert not is_classifier(model) and not is_regressor(model)
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    check_is_fitted(model.fit(csr))
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(model))


@pytest.mark.parametrize("form", ["pairs", "pandas", "list", "text"])
def test_grid_search(pairs, form):
    from sklearn.model_selection import GridSearchCV

    frame = pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1]})
    data = {
        "pairs": pairs,
        "pandas": frame,
        "list": [(f"u{u}", int(i)) for u, i in pairs],
        "text": pairs.astype(str),
    }[form]
    search = GridSearchCV(
        ek.BCRecommender(**QUICK),
        {"tau": [0.1, 0.5]},
        scoring=ek.scorer(k=10, metric="ndcg"),
        cv=ek.InteractionKFold(3),
        error_score="raise",
    )
    search.fit(data)
    assert search.best_params_["tau"] in (0.1, 0.5) and 0 < search.best_score_ < 1
    user = search.best_estimator_.user_ids_[0]
    assert len(search.best_estimator_.recommend(user, N=5)[0]) == 5
    train, test = next(ek.InteractionKFold(3).split(data))
    chosen = ek.BCRecommender(**QUICK, tau=0.1)
    pick = (
        (lambda rows: frame.iloc[rows])
        if form == "pandas"
        else (lambda rows: [data[r] for r in rows])
    )
    told = ek.evaluate(chosen.fit(pick(train)), pick(test), k=10)["ndcg@10"]
    assert search.cv_results_["split0_test_score"][0] == pytest.approx(told)


def test_cross_val_score(pairs):
    from sklearn.model_selection import cross_val_score

    model, folds = ek.BCRecommender(**QUICK), ek.InteractionKFold(3)
    scores = cross_val_score(model, pairs, cv=folds, scoring=ek.scorer())
    again = cross_val_score(model, pairs, cv=folds, scoring=pickle.loads(pickle.dumps(ek.scorer())))
    assert len(scores) == 3 and (scores > 0).all() and scores.tolist() == again.tolist()


def test_rows_of_a_matrix_are_no_interactions(csr, model):
    for act in (
        lambda: ek.scorer()(model, csr),
        lambda: next(ek.InteractionKFold(2).split(csr)),
    ):
        with pytest.raises(ek.DataError, match="rows of a matrix are users"):
            act()


def test_wrong_scorers_and_folds(pairs):
    with pytest.raises(ek.ConfigError, match="did you mean 'recall'"):
        ek.scorer(metric="recal")
    with pytest.raises(ek.ConfigError, match="k is 0"):
        ek.scorer(k=0)
    with pytest.raises(ek.ConfigError, match="n_splits is 1"):
        ek.InteractionKFold(1)
    with pytest.raises(ek.DataError, match="do not make 5 folds"):
        next(ek.InteractionKFold(5).split(pairs[:3]))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), min_size=8, max_size=60),
    st.integers(2, 4),
    st.integers(0, 3),
)
def test_folds_part_the_log(pairs, folds, seed):
    array = np.array(pairs)
    try:
        parts = list(ek.InteractionKFold(folds, random_state=seed).split(array))
    except ek.DataError:
        assert len(set(pairs)) < folds
        return
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(len(pairs)))
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(len(pairs)))
        trained, tested = ({pairs[row] for row in rows} for rows in (train, test))
        assert not trained & tested
        for user in {user for user, _ in tested}:
            own = {pair for pair in pairs if pair[0] == user}
            held = {pair for pair in tested if pair[0] == user}
            assert len(held) <= -(-len(own) // folds)


@pytest.mark.parametrize("protocol", ["random", "balanced", "leave-one-out", "temporal"])
def test_a_cut_by_protocol(pairs, protocol):
    frame = pd.DataFrame({"user": pairs[:, 0], "item": [f"i{i}" for i in pairs[:, 1]]})
    frame["timestamp"] = np.random.default_rng(0).permutation(len(frame))
    ((train, test),) = ek.ProtocolSplit(protocol).split(frame)
    data = ek.split(frame, protocol)
    part = [name for name in data.parts if name.startswith("test")][-1]
    held = data[part].tocoo()
    wanted = set(zip(data.user_ids[held.row].tolist(), data.item_ids[held.col].tolist()))
    assert set(frame.iloc[test][["user", "item"]].itertuples(index=False, name=None)) == wanted
    kept = data["train"].nnz + data["valid"].nnz
    assert len(train) == kept and not set(train) & set(test)
    from sklearn.model_selection import cross_val_score

    model = ek.Recommender(**QUICK)
    cut = ek.ProtocolSplit(protocol)
    scores = cross_val_score(model, frame, scoring=ek.scorer(), cv=cut, error_score="raise")
    assert len(scores) == 1 and scores[0] > 0
    with pytest.raises(ek.ConfigError, match="unknown"):
        next(ek.ProtocolSplit(protocol, part="other").split(frame))


def test_ml_100k():
    """The search of docs/python.md, small."""
    from sklearn.model_selection import GridSearchCV, cross_val_score

    path = SHARED / "data" / "ml-100k" / "interactions.tsv"
    if not path.exists():
        pytest.skip(f"no {path}: this test needs the shared data beside the repository")
    frame = pd.read_csv(path, sep="\t", names=["user", "item", "rating", "timestamp"])
    frame = frame[frame["user"] % 4 == 0]
    how = dict(scoring=ek.scorer(k=20), cv=ek.InteractionKFold(2), error_score="raise")
    base = ek.Recommender(loss="softmax", dim=16, epochs=3, min_rating=3, num_threads=1)
    search = GridSearchCV(base, {"tau": [0.1, 0.9]}, **how).fit(frame)
    scores = cross_val_score(search.best_estimator_, frame, **how)
    assert scores.mean() == pytest.approx(search.best_score_)
    assert scores.mean() > 0.02
