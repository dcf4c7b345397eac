"""In: yesterday's model, new items, interactions that count more. Out: models that keep up."""

import numpy as np
import pytest

import evenkeel as ek
from conftest import SMALL


def fit(data, **params):
    given = {name: params.pop(name) for name in ("weights", "valid", "out") if name in params}
    return ek.Recommender(**{**SMALL, "loss": "softmax", **params}).fit(data, **given)


def test_equal_weights_change_nothing(csr):
    plain = fit(csr)
    for weights in (np.full(csr.nnz, 3.0), csr.astype(float)):
        np.testing.assert_array_equal(fit(csr, weights=weights).item_factors, plain.item_factors)


def test_weights_say_what_is_learned(csr):
    """Interactions of weight 0 teach nothing: as good as gone, but still seen."""
    rng = np.random.default_rng(0)
    weights = (rng.random(csr.nnz) < 0.7).astype(float)
    model = fit(csr, weights=weights, validation=0.0)
    other = weights.copy()
    other[weights > 0] = 0.001
    np.testing.assert_array_equal(
        fit(csr, weights=other, validation=0.0).user_factors, model.user_factors
    )
    assert not np.array_equal(fit(csr, validation=0.0).user_factors, model.user_factors)
    user = int(np.argmax(np.diff(csr.indptr)))
    ids, _ = model.recommend(user, N=200)
    assert not set(ids) & set(csr[user].indices)


def test_weights_that_are_none_are_refused(csr, tmp_path):
    weights = np.ones(csr.nnz)
    for bad in (-1.0, np.nan, np.inf):
        weights[5] = bad
        with pytest.raises(ek.DataError, match=r"weights: the weight of row \d+, column"):
            fit(csr, weights=weights)
    with pytest.raises(ek.DataError, match="every interaction weighs 0"):
        fit(csr, weights=np.zeros(csr.nnz))
    with pytest.raises(ek.DataError, match="has the shape"):
        fit(csr, weights=np.ones(3))
    with pytest.raises(ek.DataError, match="weights= goes with a matrix"):
        fit([(0, 1), (1, 2)], weights=np.ones(2))
    with pytest.raises(ek.ConfigError, match="refit trains on valid"):
        fit(csr, weights=np.ones(csr.nnz), valid=csr, refit=True)
    with pytest.raises(ek.ConfigError, match="weight_column is 'w'.*give weights= to fit"):
        fit(csr, weight_column="w")


def test_weight_column_of_a_file(tmp_path):
    rng = np.random.default_rng(1)
    rows = {(int(u), int(i)) for u, i in rng.integers(0, [40, 25], (600, 2))}
    counted = tmp_path / "counted.csv"
    counted.write_text("user,item,n\n" + "".join(f"{u},{i},{1 + u % 3}\n" for u, i in sorted(rows)))
    repeated = tmp_path / "repeated.csv"
    repeated.write_text(
        "user,item,n\n" + "".join(f"{u},{i},1\n" * (1 + u % 3) for u, i in sorted(rows))
    )
    quick = dict(split="none", weight_column="n")
    one, other = fit(str(counted), **quick), fit(str(repeated), **quick)
    np.testing.assert_array_equal(one.item_factors, other.item_factors)
    plain = fit(str(counted), split="none")
    assert not np.array_equal(one.item_factors, plain.item_factors)


def test_a_training_starts_from_another(csr, tmp_path):
    first = fit(csr, out=str(tmp_path / "run"))
    second = fit(csr, start_from=str(tmp_path / "run"), epochs=1)
    assert second.result_["from"]["new_users"] == 0
    closeness = (
        np.sum(first.user_factors * second.user_factors, axis=1)
        / np.linalg.norm(first.user_factors, axis=1)
        / np.linalg.norm(second.user_factors, axis=1)
    )
    assert np.median(closeness) > 0.9
    with pytest.raises(ek.ConfigError, match="--dim is 8"):
        fit(csr, start_from=str(tmp_path / "run"), dim=8)


def test_new_items_come_near_their_users(csr):
    model = fit(csr, epochs=30, lr=0.02)
    items = np.argsort(-np.asarray(csr.sum(axis=0)).ravel())[:20]
    vectors = model.partial_fit_items(csr[:, items].T.tocsr())
    assert vectors.shape == (20, model.item_factors.shape[1])
    lists = [csr[:, i].nonzero()[0] for i in items]
    np.testing.assert_array_equal(vectors, model.partial_fit_items(lists))

    def unit(rows):
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    cosines = unit(vectors) @ unit(model.item_factors[items]).T
    assert np.diag(cosines).mean() > cosines.mean() + 0.1
    with pytest.raises(ek.DataError, match="item_users has"):
        model.partial_fit_items(csr)
