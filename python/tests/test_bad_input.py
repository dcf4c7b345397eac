"""In: what must not come in. Out: the right exception with a remedy; never a crash."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import evenkeel as ek

QUICK = dict(dim=4, epochs=1, negatives=2, num_threads=1)
calm = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def fit(data, **params):
    return ek.BCRecommender(**{**QUICK, **params}).fit(data)


@pytest.mark.parametrize(
    "data, error, words",
    [
        (np.array([[0.5, 1.0]]), ek.DataError, "floating"),
        (np.array([[0, -1], [1, 2]]), ek.DataError, "negative"),
        (np.zeros((0, 2), np.int64), ek.DataError, "no interactions"),
        (np.zeros((3, 3), np.int64), ek.DataError, "pairs"),
        (np.array([["a", ""]]), ek.DataError, "empty id"),
        (np.array([["a", None]], dtype=object), ek.DataError, "None"),
        (sp.csr_matrix((4, 5)), ek.DataError, "no training interactions"),
        (sp.csr_matrix((0, 0)), ek.DataError, "empty"),
        (sp.csr_matrix([[np.nan, 1.0]]), ek.DataError, "NaN"),
        (sp.csr_matrix([[1j, 0]]), ek.DataError, "type"),
        (pd.DataFrame({"who": [1], "item": [2]}), ek.DataError, "user_column"),
        (pd.DataFrame({"user": [1.5], "item": [2]}), ek.DataError, "whole numbers"),
        (pd.DataFrame({"user": ["a", None], "item": [1, 2]}), ek.DataError, "row 1"),
        ("/no/such/file", ek.Error, "no/such"),
        (object(), ek.DataError, "not known"),
        (None, ek.DataError, "not known"),
        (7, ek.DataError, "not known"),
    ],
)
def test_wrong_data(data, error, words):
    with pytest.raises(error, match=words):
        fit(data)


@pytest.mark.parametrize(
    "params, words",
    [
        (dict(loss="sofmax"), "softmax"),
        (dict(tau=0.0), "tau is"),
        (dict(tau=float("nan")), "tau is"),
        (dict(dim="many"), "dim is"),
        (dict(dim=2**70), "64 bits"),
        (dict(epochs=[1]), "epochs is"),
        (dict(random_state=-1), "seed is"),
        (dict(negatives="some"), "negatives"),
    ],
)
def test_wrong_parameters(csr, params, words):
    with pytest.raises(ek.ConfigError, match=words):
        fit(csr, **params)


def test_damaged_matrix():
    csr = sp.csr_matrix(np.eye(4, dtype=np.float32))
    csr.indices[1] = 99
    with pytest.raises(ek.DataError, match="item 99"):
        fit(csr)
    csr.indices[1] = -3
    with pytest.raises(ek.DataError, match="item -3"):
        fit(csr)
    csr.indices[1], csr.indptr[2] = 1, 77
    with pytest.raises(ek.DataError, match="indptr"):
        fit(csr)


def test_not_fitted(csr):
    for act in (
        lambda m: m.recommend(1),
        lambda m: m.similar_items(1),
        lambda m: m.item_factors,
        lambda m: m.save("x"),
        lambda m: ek.evaluate(m, csr),
    ):
        with pytest.raises(ek.NotFittedError, match="fit or load"):
            act(ek.BCRecommender())


def test_unknown_ids(model):
    for ask in (
        lambda: model.recommend(10**6),
        lambda: model.recommend(-1),
        lambda: model.recommend("nobody"),
        lambda: model.similar_items(5000),
        lambda: model.recommend(np.array([1, 400])),
    ):
        with pytest.raises(ek.UnknownIdError, match="not in the model"):
            ask()
    assert issubclass(ek.UnknownUserError, ek.DataError) and issubclass(ek.DataError, ValueError)


def test_wrong_counts(model):
    for n in (0, -4, 2.5, True, "ten", 2**31, 10**30):
        with pytest.raises(ek.ConfigError, match="N is"):
            model.recommend(1, N=n)


def test_transposed_matrices(model, csr):
    with pytest.raises(ek.DataError, match="transposed"):
        ek.evaluate(model, csr.T)
    with pytest.raises(ek.DataError, match="shape"):
        model.recommend(np.arange(5), csr.T[:5])
    with pytest.raises(ek.DataError, match="rows for"):
        model.recommend(np.arange(5), csr[:4])
    again = ek.BCRecommender(**QUICK).fit(csr)
    with pytest.warns(UserWarning, match="items x users"):
        again.fit(csr.T.tocsr())


def test_damaged_model_file(model, tmp_path):
    model.save(tmp_path / "m")
    whole = (tmp_path / "m").read_bytes()
    for size in (0, 7, 100, len(whole) - 1):
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(ek.DataError):
            ek.BCRecommender.load(tmp_path / "cut")


@calm
@given(
    hnp.arrays(
        st.sampled_from([np.int8, np.int64, np.uint16, np.float32, np.bool_]),
        hnp.array_shapes(min_dims=0, max_dims=3, max_side=5),
    )
)
def test_any_array_is_fitted_or_refused(data):
    try:
        fit(data)
    except ek.Error as error:
        assert str(error)


@calm
@given(
    st.integers(0, 6),
    st.integers(0, 6),
    st.lists(st.tuples(st.integers(-2, 9), st.integers(-2, 9)), max_size=12),
)
def test_any_matrix_is_fitted_or_refused(users, items, cells):
    indptr = np.sort(np.array([0] + [abs(a) for a, _ in cells][:users], np.int32))
    indptr = np.pad(indptr, (0, users + 1 - len(indptr)), constant_values=indptr[-1])
    indices = np.array([b for _, b in cells], np.int32)

    class Raw:  # as scipy lays it out, but unchecked
        shape = (users, items)
        data = None

    Raw.indptr, Raw.indices = indptr, indices
    try:
        fit(Raw)
    except ek.Error as error:
        assert str(error)


@calm
@given(
    ids=st.one_of(
        st.integers(-10, 500),
        st.text(max_size=4),
        st.none(),
        st.floats(),
        st.lists(st.integers(-5, 400), max_size=4),
    ),
    n=st.one_of(st.integers(-3, 300), st.none(), st.floats()),
)
def test_any_question_is_answered_or_refused(model, ids, n):
    for ask in (model.recommend, model.similar_items, model.similar_users):
        try:
            answer, scores = ask(ids, N=n)
            assert answer.shape == scores.shape
        except ek.Error as error:
            assert str(error)


@calm
@given(
    st.lists(
        st.tuples(
            st.one_of(st.text(max_size=3), st.none(), st.integers(), st.floats()),
            st.text(max_size=3),
        ),
        max_size=8,
    )
)
def test_any_frame_is_fitted_or_refused(rows):
    frame = pd.DataFrame(rows, columns=["user", "item"])
    try:
        fit(frame)
    except ek.Error as error:
        assert str(error)


@calm
@given(
    st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=5),
    st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=5),
    st.integers(-1, 8),
)
def test_any_lists_are_measured_or_refused(ranked, relevant, k):
    try:
        figures = ek.metrics(ranked, relevant, k=k)
        assert all(0 <= figures[f"{name}@{k}"] <= 1 for name in ("recall", "ndcg", "map"))
    except ek.Error as error:
        assert str(error)
