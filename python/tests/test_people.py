"""In: people by id, vector or history. Out: proof of their lists, reasons and neighbours."""

import numpy as np
import pytest

import evenkeel as ek
from conftest import SMALL, block_matrix


@pytest.fixture(scope="module")
def named(market):
    return ek.Recommender(**SMALL).fit(market)


def test_a_vector_ranks_as_its_user_does(model, csr):
    ids, scores = model.recommend(7, csr[7], N=6)
    same, same_scores = model.recommend(vector=model.user_factors[7], user_items=csr[7], N=6)
    np.testing.assert_array_equal(ids, same)
    np.testing.assert_array_equal(scores, same_scores)
    many, _ = model.recommend(vector=model.user_factors[5:8], N=4)
    assert many.shape == (3, 4)
    with pytest.raises(ek.DataError, match="finite"):
        model.recommend(vector=np.full(16, np.nan))
    with pytest.raises(ek.DataError, match="numbers where"):
        model.recommend(vector=np.ones(3))


def test_a_history_is_a_user_without_an_id(model, csr):
    own = csr[7].indices
    ids, scores = model.recommend(history=own, N=6)
    same, _ = model.recommend(0, csr[7], recalculate_user=True, N=6)
    np.testing.assert_array_equal(ids, same)
    assert not set(ids) & set(own)
    for form in (own.tolist(), set(own.tolist()), tuple(own), frozenset(own.tolist())):
        np.testing.assert_array_equal(model.recommend(history=form, N=6)[0], ids)
    several, _ = model.recommend(history=[own, csr[3].indices], N=6)
    np.testing.assert_array_equal(several[0], ids)
    assert several.shape == (2, 6)


def test_text_ids_in_a_history(named):
    items = named.item_ids_[[1, 5, 9]].tolist()
    ids, _ = named.recommend(history=items, N=5)
    assert len(ids) == 5 and not set(ids) & set(items)
    some, _ = named.recommend(history=[*items, "nobody knows"], N=5, skip_unknown=True)
    assert some.tolist() == ids.tolist()
    one, _ = named.recommend(history=items[0], N=3)
    assert len(one) == 3


def test_a_history_without_items_makes_no_list(named):
    with pytest.raises(ek.DataError, match="history is empty; name at least one item"):
        named.recommend(history=[])
    with pytest.raises(ek.DataError, match="history 1 is empty"):
        named.recommend(history=[named.item_ids_[:2], []])
    ids, scores = named.recommend(history=["nobody knows"], skip_unknown=True)
    assert len(ids) == 0 and len(scores) == 0
    histories = [["nobody knows"], named.item_ids_[:2]]
    ids, _ = named.recommend(history=histories, N=3, skip_unknown=True)
    assert ids[0].tolist() == [None] * 3 and None not in ids[1]


def test_exactly_one_who_asks(model):
    for given in ({}, dict(userid=1, history=[2]), dict(vector=[1.0] * 16, history=[2])):
        with pytest.raises(ek.ConfigError, match="give one of them"):
            model.recommend(**given)
    with pytest.raises(ek.ConfigError, match="leave user_items out"):
        model.recommend(history=[1], recalculate_user=True)
    with pytest.raises(ek.DataError, match="has no order"):
        model.recommend({1, 2})


def test_unknown_ids_are_skipped_on_request(named):
    known = named.user_ids_[:2].tolist()
    users = [known[0], "nobody", known[1]]
    with pytest.raises(ek.UnknownIdError, match="nobody"):
        named.recommend(users)
    ids, scores = named.recommend(users, N=4, skip_unknown=True)
    assert ids[1].tolist() == [None] * 4 and np.isneginf(scores[1]).all()
    both, _ = named.recommend(known, N=4)
    assert ids[[0, 2]].tolist() == both.tolist()
    alone, _ = named.recommend("nobody", skip_unknown=True)
    assert len(alone) == 0
    first = both[0][0]
    left, _ = named.recommend(known[0], filter_items=[first, "nothing"], N=4, skip_unknown=True)
    assert first not in left
    only, _ = named.recommend(known[0], items={first, "nothing"}, skip_unknown=True)
    assert only.tolist() == [first]


def test_filters_take_any_collection(model):
    ids, _ = model.recommend(3, N=5)
    for form in (list, tuple, set, frozenset, np.array, lambda v: (x for x in v), dict.fromkeys):
        without, _ = model.recommend(3, N=5, filter_items=form(ids[:2].tolist()))
        assert not set(ids[:2]) & set(without), form


def test_rank_items_keeps_all_of_them(model, csr):
    wanted = [*csr[3].indices[:2].tolist(), 5, 9]
    ids, scores = model.rank_items(3, wanted)
    assert sorted(ids) == sorted(set(wanted)) and (np.diff(scores) <= 0).all()
    several, _ = model.rank_items([3, 4], {1, 2, 3})
    assert several.shape == (2, 3)


def test_similar_users_take_filters(model):
    ids, _ = model.similar_users(2, N=4)
    without, _ = model.similar_users(2, N=4, filter_users={int(ids[1])})
    assert ids[1] not in without and ids[2] in without
    among, _ = model.similar_users(2, users=[8, 9])
    assert set(among) == {8, 9}


def test_known_items_are_those_of_the_log(market, named):
    row = 4
    own = named.known_items(market.user_ids[row])
    log = sum(market[part] for part in market.parts)
    assert set(own) == set(market.item_ids[log[row].indices])
    with pytest.raises(ek.DataError, match="one user"):
        named.known_items(market.user_ids[:2])


def test_reasons_are_what_the_score_loses():
    csr = block_matrix()
    model = ek.Recommender(dim=16, epochs=30, negatives=8, l2=0.0, lr=0.01, num_threads=1).fit(csr)
    history = [0, 1, 2, 3, 25, 45]  # four of the first block, one each of the others
    own, others = [], []
    for item in range(6, 18):  # of the first block
        score, ids, parts = model.explain(itemid=item, history=history)
        assert (np.diff(parts) <= 0).all()
        own += parts[ids < 20].tolist()
        others += parts[ids >= 20].tolist()
        vector = model.partial_fit_users([history])[0]
        ranked = model.recommend(vector=vector, items=[item])[1][0]
        assert score == pytest.approx(ranked, abs=1e-5)
        for reason, part in zip(ids, parts):
            without = model.partial_fit_users([[h for h in history if h != reason]])[0]
            left = model.recommend(vector=without, items=[item])[1][0]
            assert part == pytest.approx(score - left, abs=1e-5)
    assert np.mean(own) > 0.03 > np.mean(others)


def test_reasons_come_from_the_log(named, market):
    user = market.user_ids[4]
    best = named.recommend(user, N=1)[0][0]
    told = named.explain(user, best, N=3)
    assert set(told.ids) <= set(named.known_items(user)) and len(told.contributions) == 3
    with pytest.raises(ek.DataError, match="no other item"):
        named.explain(itemid=best, history=[best])
    with pytest.raises(ek.ConfigError, match="both"):
        named.explain(user, best, history=[best])
