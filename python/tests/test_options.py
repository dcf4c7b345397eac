"""In: options with every kind of data. Out: each one obeyed or refused, never ignored."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import evenkeel as ek

QUICK = dict(dim=4, epochs=1, negatives=2, num_threads=1)


def fit(data, **params):
    return ek.BCRecommender(**{**QUICK, **params}).fit(data)


@pytest.fixture(scope="module")
def ratings(csr):
    rated = csr.copy()
    rated.data = np.random.default_rng(0).integers(1, 6, rated.nnz).astype(np.float32)
    return rated


def test_min_rating_holds_for_a_matrix(ratings):
    liked = ratings.copy()
    liked.data[liked.data < 4] = 0
    liked.eliminate_zeros()
    ours, theirs = fit(ratings, min_rating=4), fit(liked)
    np.testing.assert_array_equal(ours.item_factors, theirs.item_factors)
    assert ek.stats(ratings, min_rating=4)["interactions"] == liked.nnz
    parts = ek.split(ratings, "random", min_rating=4)
    assert sum(parts[part].nnz for part in parts.parts) == liked.nnz
    with pytest.raises(ek.DataError, match="reaches min_rating 9, the largest is 5"):
        fit(ratings, min_rating=9)
    with pytest.raises(ek.ConfigError, match="min_rating is 'four'"):
        fit(ratings, min_rating="four")


def test_values_below_min_rating_are_not_recommended(ratings):
    coo = ratings.tocoo()
    held = set(zip(coo.row.tolist(), coo.col.tolist()))
    users = np.flatnonzero(((ratings >= 4).getnnz(axis=1) > 0))[:40].tolist()

    def lists_of(model, name):
        for user in users:
            ids, _ = model.recommend(name(user), N=20)
            yield from ((user, int(item)) for item in ids)

    parts = ek.split(ratings, "random", min_rating=4)
    for data, params in (
        (ratings, dict(min_rating=4)),
        (parts, {}),
        (pickle.loads(pickle.dumps(parts)), {}),
        (ek.Dataset.of(ratings, min_rating=4), {}),
    ):
        model = fit(data, **params)
        assert not held.intersection(lists_of(model, int))
    row = next(n for n, value in enumerate(coo.data) if value < 4)
    assert coo.col[row] in model.known_items(int(coo.row[row]))

    frame = pd.DataFrame(
        {"user": coo.row.astype(str), "item": coo.col.astype(str), "rating": coo.data}
    )
    assert not held.intersection(lists_of(fit(frame, min_rating=4), str))


def test_min_rating_holds_for_valid_test_and_new_users(ratings):
    model = ek.BCRecommender(**QUICK, min_rating=4).fit(ratings, valid=ratings)
    liked = ratings.multiply(ratings >= 4).tocsr()
    assert model.result_["evaluations"]["valid"]["users"] == (liked.getnnz(axis=1) > 0).sum()
    np.testing.assert_array_equal(
        model.partial_fit_users(ratings[:20]), model.partial_fit_users(liked[:20])
    )
    ids, _ = model.recommend(np.arange(20), ratings[:20], N=50, recalculate_user=True)
    assert not any(ratings[user, item] for user in range(20) for item in ids[user])


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-2, 5)), min_size=1, max_size=20
    ),
    st.one_of(st.none(), st.integers(-3, 5)),
)
@settings(max_examples=60, deadline=None)
def test_a_matrix_counts_what_the_threshold_takes(cells, threshold):
    wanted = {(u, i): v for u, i, v in cells}
    rows, columns, values = zip(*((u, i, v) for (u, i), v in wanted.items()))
    csr = sp.csr_matrix((values, (rows, columns)), shape=(6, 6))
    kept = [v for v in wanted.values() if (v != 0 if threshold is None else v >= threshold)]
    try:
        assert ek.stats(csr, min_rating=threshold)["interactions"] == len(kept)
    except ek.DataError:
        assert not kept


def test_stored_zeros_are_no_interactions(csr):
    zeroed = csr.copy()
    zeroed.data[::3] = 0
    count = int((zeroed.data != 0).sum())
    parts = ek.split(zeroed, "random")
    assert sum(parts[part].nnz for part in parts.parts) == count
    assert ek.stats(zeroed)["interactions"] == count
    assert zeroed.nnz == csr.nnz  # what was given is as it was


@pytest.mark.parametrize(
    "call, meant",
    [
        (lambda d: ek.split(d, "random", k_cor=3), "k_core"),
        (lambda d: ek.split(d, time_colum="when"), "time_column"),
        (lambda d: ek.split(d, seed=3), "random_state"),
        (lambda d: ek.stats(d, usercolumn="x"), "user_column"),
        (lambda d: ek.synthetic(user=30), "users"),
        (lambda d: ek.synthetic(threads=1), "num_threads"),
        (lambda d: ek.evaluate(None, d, group=False), "groups"),
        (lambda d: ek.metrics([[1]], [[1]], K=3), "k"),
        (lambda d: ek.BCRecommender(taau=0.1), "tau"),
        (lambda d: ek.BCRecommender(factors=64), "dim"),
        (lambda d: ek.BCRecommender(learning_rate=0.1), "lr"),
        (lambda d: ek.BCRecommender(regularization=0.1), "l2"),
        (lambda d: ek.BCRecommender(iterations=9), "epochs"),
        (lambda d: ek.BCRecommender().set_params(epoch=3), "epochs"),
        (lambda d: ek.BCRecommender().fit(d, validd=d), "valid"),
    ],
)
def test_misspelt_keywords_name_the_nearest(csr, tmp_path, call, meant):
    for data in (csr, tmp_path):
        with pytest.raises(ek.ConfigError, match=f"did you mean '{meant}'") as raised:
            call(data)
        assert isinstance(raised.value, TypeError)


def test_set_params_is_all_or_nothing():
    model = ek.BCRecommender(tau=0.3)
    with pytest.raises(ek.ConfigError):
        model.set_params(tau=0.1, dimm=3)
    assert model.tau == 0.3


TABLE = pd.DataFrame({"user": [1, 1, 2, 2], "item": [3, 4, 3, 5], "stars": [1, 5, 4, 5]})


@pytest.mark.parametrize(
    "option",
    [
        dict(format="delimited"),
        dict(user_column="user"),
        dict(item_column="item"),
        dict(rating_column="stars"),
        dict(time_column="when"),
        dict(separator="tab"),
        dict(header="no"),
        dict(on_bad_row="skip"),
        dict(k_core=2),
        dict(split="temporal"),
        dict(min_rating=2),
    ],
)
def test_options_without_use_are_refused(market, pairs, option):
    (name,) = option
    useful = {"matrix": {"min_rating"}, "pairs": {"k_core"}, "Dataset": set()}
    useful["table"] = {"user_column", "item_column", "min_rating", "k_core"}
    forms = {"matrix": market["train"], "pairs": pairs, "Dataset": market, "table": TABLE}
    for form, data in forms.items():
        for act in (fit, ek.stats):
            if name in useful[form]:
                continue
            with pytest.raises(ek.ConfigError, match=name):
                act(data, **option)
        if name not in useful[form] and name not in ("split", "time_column") and form != "Dataset":
            with pytest.raises(ek.ConfigError, match=name):
                ek.split(data, **option)


def test_defaults_of_options_are_no_options(csr):
    fit(csr, format="auto", split="random", k_core=0, user_column="")


def test_rating_column_goes_with_min_rating():
    with pytest.raises(ek.ConfigError, match="min_rating"):
        fit(TABLE, rating_column="stars")
    assert ek.stats(TABLE, rating_column="stars", min_rating=4)["interactions"] == 3


def test_valid_goes_with_a_matrix(market, pairs):
    csr = market["train"]
    for data in (market, pairs, "market"):
        with pytest.raises(ek.DataError, match="valid= goes with a matrix"):
            ek.BCRecommender(**QUICK).fit(data, valid=csr)
    with pytest.raises(ek.DataError, match="valid= is a Dataset"):
        ek.BCRecommender(**QUICK).fit(csr, valid=market)


def timed(seed=0):
    """Eight interactions a user, their times in no order."""
    rng = np.random.default_rng(seed)
    users = np.repeat(np.arange(20), 8)
    items = np.concatenate([rng.choice(40, 8, replace=False) for _ in range(20)])
    return pd.DataFrame({"user": users, "item": items, "timestamp": rng.permutation(len(users))})


def last_items(frame):
    return {u: g.loc[g.timestamp.idxmax(), "item"] for u, g in frame.groupby("user")}


def test_leave_one_out_uses_times_of_a_table():
    frame = timed()
    stamps = frame.timestamp
    for times in (
        stamps,
        pd.to_datetime(stamps, unit="D"),
        pd.to_datetime(stamps, unit="D").astype(str),
    ):
        data = ek.split(frame.assign(timestamp=times), "leave-one-out")
        test = data["test"].tocoo()
        held = dict(zip(data.user_ids[test.row], data.item_ids[test.col]))
        assert held == last_items(frame)
    named = frame.rename(columns={"timestamp": "when"})
    data = ek.split(named, "leave-one-out", time_column="when")
    test = data["test"].tocoo()
    assert dict(zip(data.user_ids[test.row], data.item_ids[test.col])) == last_items(frame)


def test_leave_one_out_without_times_is_random():
    frame = timed().rename(columns={"timestamp": "when"})
    words = frame.assign(date="soon")  # a column of words is no time unless somebody says so
    a, b = ek.split(frame, "leave-one-out"), ek.split(words, "leave-one-out")
    assert (a["test"] != b["test"]).nnz == 0
    with pytest.raises(ek.DataError, match="no time"):
        ek.split(words, "leave-one-out", time_column="date")


def test_leave_one_out_as_on_the_command_line(program, tmp_path):
    import subprocess

    frame = timed(1)
    frame.to_csv(tmp_path / "log.csv", index=False)
    arguments = ["--protocol", "leave-one-out", "--k-core", "0", "--out", str(tmp_path / "split")]
    subprocess.run([program, "split", tmp_path / "log.csv", *arguments], check=True)
    assert (
        ek.stats(tmp_path / "split")["parts"] == ek.split(frame, "leave-one-out").stats()["parts"]
    )
    ek.split(frame, "leave-one-out", out=tmp_path / "ours")
    for part in ("train.txt", "valid.txt", "test.txt"):
        assert (tmp_path / "ours" / part).read_text() == (tmp_path / "split" / part).read_text()


def test_time_column_goes_with_a_split_by_time():
    for protocol in ("random", "balanced"):
        with pytest.raises(ek.ConfigError, match="uses no times"):
            ek.split(timed(), protocol, time_column="timestamp")
    with pytest.raises(ek.ConfigError, match="ek.split"):
        fit(timed(), time_column="timestamp")


def test_threads_that_cannot_be_had(csr, model, market):
    for count in (100000, -1, 2.5, "two", True):
        for act in (
            lambda: fit(csr, num_threads=count),
            lambda: ek.BCRecommender(num_threads=count).fit(market),
            lambda: ek.evaluate(model, csr, num_threads=count),
            lambda: ek.split("log.csv", num_threads=count),
            lambda: ek.stats("log.csv", num_threads=count),
            lambda: ek.synthetic(num_threads=count),
            lambda: ek.report("run", num_threads=count),
        ):
            with pytest.raises(ek.ConfigError, match="num_threads is"):
                act()
    many = ek.BCRecommender(**QUICK).fit(csr).set_params(num_threads=100000)
    with pytest.raises(ek.ConfigError, match="num_threads is 100000"):
        many.recommend(np.arange(250))
