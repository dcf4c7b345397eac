"""In: callbacks. Out: proof that one that asks for it sees the model, and changes nothing."""

import pickle

import numpy as np
import pytest

import evenkeel as ek
from conftest import SMALL


@pytest.mark.parametrize(
    "more",
    [
        {},
        dict(eval_every=4),
        dict(encoder="lightgcn", layers=2, eval_every=3),
        dict(loss="macr"),
        dict(loss="cause"),
        dict(optimizer="adam", refit=True),
    ],
    ids=str,
)
def test_looking_changes_no_bit(csr, more):
    seen = []

    def look(epoch, info, model):
        ids, _ = model.recommend(3, N=5)
        seen.append((epoch, ids.tolist(), model.item_factors.copy()))

    watched = ek.Recommender(**{**SMALL, **more}).fit(csr, callback=look)
    alone = ek.Recommender(**{**SMALL, **more}).fit(csr)
    np.testing.assert_array_equal(watched.item_factors, alone.item_factors)
    np.testing.assert_array_equal(watched.user_factors, alone.user_factors)
    assert [epoch for epoch, _, _ in seen][:6] == [1, 2, 3, 4, 5, 6]
    assert not np.array_equal(seen[0][2], seen[-1][2])


def test_the_last_epochs_model_is_the_result(market):
    data = ek.Dataset.of(market["train"])  # no validation chooses an epoch
    seen = {}

    def look(epoch, info, model):
        seen["factors"] = model.item_factors.copy()
        seen["figures"] = ek.evaluate(model, market["test_ood"])["recall@20"]
        seen["params"] = model.get_params()
        seen["copy"] = pickle.loads(pickle.dumps(model))
        return epoch == 4

    model = ek.Recommender(**SMALL, validation=0).fit(data, callback=look)
    assert len(model.history_) == 4
    np.testing.assert_array_equal(model.item_factors, seen["factors"])
    assert ek.evaluate(model, market["test_ood"])["recall@20"] == seen["figures"]
    assert seen["params"] == model.get_params()
    np.testing.assert_array_equal(seen["copy"].item_factors, seen["factors"])


def test_a_model_that_was_not_looked_at_is_gone(csr):
    kept = []
    ek.Recommender(**SMALL).fit(csr, callback=lambda epoch, info, model: kept.append(model))
    with pytest.raises(ek.NotFittedError, match="during the call"):
        kept[0].recommend(3)


def test_two_arguments_and_defaults_stay_as_they_were(csr):
    told = []

    def bound(epoch, info, mine="mine"):
        told.append(mine)

    ek.Recommender(**SMALL).fit(csr, callback=bound)
    ek.Recommender(**SMALL).fit(csr, callback=lambda *both: told.append(len(both)))
    assert set(told) == {"mine", 2}
