"""In: ids of every kind. Out: each found by its like, and back as it went in."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import evenkeel as ek

QUICK = dict(dim=4, epochs=1, negatives=2, num_threads=1)
HUGE = 2**63


def fit(data, **params):
    return ek.BCRecommender(**{**QUICK, **params}).fit(data)


def without_pyarrow(monkeypatch):
    def missing(*_):
        raise ImportError("No module named 'pyarrow'")

    monkeypatch.setattr(pd.DataFrame, "__arrow_c_stream__", missing, raising=False)


def huge_pairs():
    users = np.array([HUGE, HUGE, HUGE + 7, HUGE + 7, 3], np.uint64)
    items = np.array([2**64 - 1, 5, 5, HUGE, HUGE], np.uint64)
    return users, items


def test_ids_beyond_the_signed_numbers(monkeypatch):
    users, items = huge_pairs()
    frame = pd.DataFrame({"user": users, "item": items})
    forms = [np.column_stack([users, items]), frame, pl.DataFrame({"user": users, "item": items})]
    models = [fit(data) for data in forms]
    without_pyarrow(monkeypatch)
    models.append(fit(frame))
    models.append(pickle.loads(pickle.dumps(models[0])))
    for model in models:
        assert model.user_ids_.tolist() == [HUGE, HUGE + 7, 3]
        assert model.item_ids_.tolist() == [2**64 - 1, 5, HUGE]
        assert model.item_ids_.dtype == np.uint64
        ids, _ = model.recommend(HUGE, N=3)
        assert ids.tolist() == [HUGE]
        padded, scores = model.recommend(np.array([HUGE, 3], np.uint64), N=3)
        assert padded[0].tolist() == [HUGE, None, None] and np.isneginf(scores[0, 1:]).all()
        with pytest.raises(ek.UnknownIdError):
            model.recommend(HUGE - 2**64)  # what the bits say as a signed number


@pytest.mark.parametrize("arrow", [True, False])
def test_types_of_ids_do_not_depend_on_pyarrow(arrow, monkeypatch):
    if not arrow:
        without_pyarrow(monkeypatch)
    texts, numbers = ["ann", "ann", "ben", "ben"], [7, 8, 8, 9]
    for values, text in [
        (texts, True),
        (pd.Categorical(texts), True),
        (pd.array(texts, dtype="string"), True),
        (np.array(texts, dtype=object), True),
        (numbers, False),
        (np.array(numbers, np.uint8), False),
        (np.array(numbers, dtype=object), False),
        (pd.array(numbers, dtype="Int64"), False),
        (pd.Categorical(numbers), False),
    ]:
        model = fit(pd.DataFrame({"user": values, "item": [1, 2, 2, 3]}))
        assert model.user_ids_.dtype.kind == ("O" if text else "i"), values
        assert model.item_ids_.dtype == np.int64
        assert model.item_ids_.tolist() == [1, 2, 3]
    for values in ([1.5, 2], [None, "a"], pd.to_datetime([1, 2]), [True, False], [1, "a"]):
        with pytest.raises(ek.DataError):
            fit(pd.DataFrame({"user": values, "item": [1, 2]}))


def test_ratings_and_times_without_pyarrow(monkeypatch):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "user": np.repeat(np.arange(9), 6),
            "item": [f"i{i}" for _ in range(9) for i in rng.choice(12, 6, replace=False)],
            "rating": rng.integers(1, 6, 54),
            "time": pd.to_datetime(rng.permutation(54), unit="D"),
        }
    )
    cuts = [("temporal", {}), ("leave-one-out", {}), ("random", dict(min_rating=3))]
    told = [ek.split(frame, protocol, **options) for protocol, options in cuts]
    iso = ek.split(frame.assign(time=frame.time.astype(str)), "temporal")
    without_pyarrow(monkeypatch)
    told.append(iso)
    cuts.append(("temporal", {}))
    for (protocol, options), one in zip(cuts, told):
        other = ek.split(frame, protocol, **options)
        assert one.user_ids.tolist() == other.user_ids.tolist()
        assert one.item_ids.tolist() == other.item_ids.tolist()
        for part in one.parts:
            assert (one[part] != other[part]).nnz == 0
    with pytest.raises(ek.DataError, match="row 3"):
        ek.split(frame.assign(rating=[1, 2, 3, np.nan] + [5] * 50), min_rating=2)


def test_a_list_of_pairs_keeps_its_types():
    model = fit([("ann", 3), ("ann", 4), ("ben", 3), ("ben", 5)])
    assert model.user_ids_.tolist() == ["ann", "ben"] and model.item_ids_.tolist() == [3, 4, 5]
    assert model.item_ids_.dtype == np.int64


def test_an_id_is_found_by_its_like_only(csr):
    pairs = [(7, "70"), (7, "80"), (8, "80"), (8, "90")]
    model = fit(pairs)
    assert model.recommend(7, N=1)[0].tolist() == ["90"]
    for ask in (lambda: model.recommend("7"), lambda: model.similar_items(70)):
        with pytest.raises(ek.UnknownIdError, match="known by"):
            ask()
    rows = fit(csr)
    for wrong in ("5", True, "None"):
        with pytest.raises(ek.UnknownIdError, match="known by row"):
            rows.recommend(wrong)
    texts = fit([("None", "a"), ("None", "b"), ("True", "b"), ("True", "c")])
    with pytest.raises(ek.UnknownIdError, match="known by text"):
        texts.recommend(True)
    for model in (rows, texts):  # nobody is asked for
        with pytest.raises(ek.ConfigError, match="neither userid"):
            model.recommend(None)


def test_a_files_ids_are_found_by_number_and_text(tmp_path):
    (tmp_path / "log.csv").write_text(
        "user,item\n" + "".join(f"{u},{i}\n" for u in range(9) for i in range(u, u + 6))
    )
    model = fit(tmp_path / "log.csv")
    np.testing.assert_array_equal(model.recommend(5)[0], model.recommend("5")[0])


# -- rows and ids are never matched in silence ---------------------------------------------------


def test_a_model_of_rows_refuses_data_of_ids(csr):
    shuffled = np.random.default_rng(0).permutation(csr.shape[0])
    coo = csr.tocoo()
    data = ek.split(np.column_stack([shuffled[coo.row], coo.col]), "random")
    model = fit(data["train"])
    with pytest.raises(ek.DataError, match="rows of a matrix.*whole numbers.*data\\['test'\\]"):
        ek.evaluate(model, data)
    with pytest.raises(ek.DataError, match="rows of a matrix"):
        ek.evaluate(model, pd.DataFrame({"user": [1], "item": [2]}))
    assert ek.evaluate(model, data["test"])["users"] > 0
    ours = ek.evaluate(fit(data), data)
    assert ours["test"]["users"] == ek.evaluate(model, data["test"])["users"]


def test_a_model_of_rows_refuses_a_file(csr, tmp_path):
    ek.split(csr, out=tmp_path / "split")
    with pytest.raises(ek.DataError, match="rows of a matrix"):
        ek.evaluate(fit(csr), tmp_path / "split")


def test_numbers_and_text_are_different_ids(pairs):
    numbers, texts = ek.split(pairs, "random"), ek.split(pairs.astype(str), "random")
    with pytest.raises(ek.DataError, match="whole numbers, the data as text"):
        ek.evaluate(fit(numbers), texts)
    with pytest.raises(ek.DataError, match="text, the data as whole numbers"):
        ek.evaluate(fit(texts), pairs[:50])


def test_a_file_may_spell_numbers(pairs, tmp_path):
    data = ek.split(pairs, "random", out=tmp_path / "split")
    from_file, from_memory = fit(str(tmp_path / "split")), fit(data)
    assert ek.evaluate(from_file, data) == ek.evaluate(from_memory, data)
    assert ek.evaluate(from_memory, str(tmp_path / "split")) == ek.evaluate(from_memory, data)


def test_parts_of_a_matrix_keep_its_rows(csr):
    gaps = sp.vstack([sp.csr_matrix((3, csr.shape[1])), csr]).tocsr()  # users without anything
    data = ek.split(gaps, "balanced")
    assert data.shape == gaps.shape
    assert (sum(data[part] for part in data.parts) != gaps.astype(np.float32)).nnz == 0
    assert data.user_ids.tolist() == list(range(gaps.shape[0]))
    model = fit(data["train"])
    figures = ek.evaluate(model, data)
    assert figures["valid"] == ek.evaluate(model, data["valid"])
    assert figures["test_id"]["users"] == ek.evaluate(model, data["test_id"])["users"]
    with pytest.raises(ek.DataError, match="shape"):
        ek.evaluate(model, ek.split(csr, "balanced"))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 2**64 - 1), st.one_of(st.text(min_size=1), st.integers(0, 9))),
        min_size=1,
        max_size=12,
        unique=True,
    )
)
def test_any_ids_come_back_as_they_went_in(pairs):
    try:
        model = fit(pairs)
    except ek.Error as error:
        kinds = {type(item) for _, item in pairs}
        assert len(kinds) == 2 or "no user has both" in str(error)
        return
    assert set(model.user_ids_.tolist()) == {user for user, _ in pairs}
    assert set(model.item_ids_.tolist()) == {item for _, item in pairs}
    for user, _ in pairs:
        own = {item for u, item in pairs if u == user}
        assert not own & set(model.recommend(user, N=100)[0].tolist())
