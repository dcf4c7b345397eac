"""In: a fitted model and people or items. Out: lists, likeness and reasons."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Optional

import numpy as np

from . import _core
from ._errors import ConfigError, DataError, NotFittedError
from ._inputs import Arrays, check_shape, is_matrix, is_one, wide_csr
from ._keywords import known_keywords
from ._lookup import Explanation, Lookup, Ranking
from ._options import rerank_of, strength_of, threads_of, threshold_of
from ._recommender_parameters import RecommenderParameters


class RankingModel(RecommenderParameters):
    """What a recommender can do once it has a model."""

    @known_keywords
    def recommend(
        self,
        userid: Any = None,
        user_items: Any = None,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items: Any = None,
        recalculate_user: bool = False,
        items: Any = None,
        debias: Optional[float] = None,
        rerank: Optional[str] = None,
        rerank_strength: Optional[float] = None,
        rerank_candidates: Optional[int] = None,
        *,
        vector: Any = None,
        history: Any = None,
        skip_unknown: bool = False,
    ) -> Ranking:
        """The best N items of one user, or of each of an array of users: (ids, scores).

        `user_items` (one row for each user asked for) says what a user has already; without it
        the training items count. `recalculate_user` makes the users' vectors anew from it, also
        for users that the model does not know. `filter_items` are never given, `items` alone are
        ranked; both hold for all users asked for. Places that no item is left for hold -1 (None
        where ids are text or need unsigned 64 bits) and minus infinity; one user's list ends there. `debias` is the strength of the popularity correction
        (0: as logged, 1: the log's popularity taken out); without it, `debias_`. `rerank`
        ("calibrated", "xquad" or "compensation") makes each list of the user's best
        `rerank_candidates` (100), as far from the ranking as `rerank_strength` lets it; a popularity
        correction comes before it.

        Instead of `userid`: `history`, the item ids of somebody whom the model does not know (a
        list of lists for several), or `vector`, one vector or a row for each user.
        An id that the model does not know is an error; with `skip_unknown` it is passed over, and
        the list of an unknown user, or of a history without a known item, is empty.
        """
        ids = self._ids()
        chosen = rerank_of(rerank, rerank_strength, rerank_candidates)
        others = (user_items, filter_items, items, chosen, vector, history)
        if is_one(userid) and all(other is None for other in others):
            if userid is not None and not recalculate_user and not skip_unknown:
                return self._one("user", userid, N, filter_already_liked_items, debias)
        asked = self._asked(userid, vector, history, user_items, recalculate_user, skip_unknown)
        masked = filter_already_liked_items
        rows, scores = self._fitted().rank(
            asked.vectors,
            False,
            False,
            asked.users if masked and asked.liked is None else None,
            asked.liked if masked else None,
            ids.some(filter_items, "filter_items", skip_unknown),
            ids.some(items, "items", skip_unknown),
            ids.count("item", N),
            self._threads(),
            self._strength(debias),
            chosen,
            asked.users,
            asked.history,
        )
        for place in asked.unknown:
            rows[place], scores[place] = -1, -np.inf
        return ids.answer("item", rows, scores, asked.one, N)

    def rank_items(self, userid: Any, items: Any, *, debias: Optional[float] = None) -> Ranking:
        """All of these items in the user's order, also those that the user has: (ids, scores)."""
        wanted = [items] if is_one(items) else list(items)
        return self.recommend(
            userid,
            items=wanted,
            N=max(1, len(wanted)),
            filter_already_liked_items=False,
            debias=debias,
        )

    @known_keywords
    def explain(
        self, userid: Any = None, itemid: Any = None, *, history: Any = None, N: int = 10
    ) -> Explanation:
        """Which of the user's items make this one recommended: (score, ids, contributions).

        The user's vector is made from all items that the log holds of the user (or `history`), then
        without each of them: a contribution is what the score loses. The largest N come first; they
        need not add up to the score, since items stand in for one another. The score is that of the
        folded-in vector, which is near but not equal to the trained one's.
        """
        target = self._ids().rows("item", [itemid])
        own = self._items_of(userid, False) if history is None else history
        if history is not None and userid is not None:
            raise ConfigError("userid and history are both given; give one of them")
        rows = np.unique(self._ids().rows("item", own))
        rows = rows[rows != target[0]]
        if len(rows) == 0:
            raise DataError("there is no other item to explain it by; give a history")
        (score,) = self._folded_scores([rows], target[0])
        left = [
            self._folded_scores([np.delete(rows, n) for n in some], target[0])
            for some in np.array_split(np.arange(len(rows)), len(rows) // 256 + 1)
        ]
        lost = score - np.concatenate(left)
        order = np.argsort(-lost, kind="stable")[: self._ids().count("item", N)]
        return Explanation(float(score), self._ids().of("item")[rows[order]], lost[order])

    def _folded_scores(self, histories: Iterable[np.ndarray], item: int) -> np.ndarray:
        """What people with these items, in rows, give to one item."""
        vectors = self._fitted().fold_in(*_flat(histories), self._threads())
        return self._scores(vectors, item)

    def _scores(self, vectors: np.ndarray, item: int) -> np.ndarray:
        """How the model compares vectors with one item."""
        one = self._fitted().items[item]
        scores = np.asarray(vectors @ one, dtype=np.float64)
        if self.score_ == "cosine":
            lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(one)
            scores = np.divide(scores, lengths, out=np.zeros_like(scores), where=lengths > 0)
        return scores

    def known_items(self, userid: Any) -> np.ndarray:
        """The ids of all items that the log holds of one user, also of rows below `min_rating`."""
        return self._items_of(userid, True)

    def _items_of(self, userid: Any, rated_low: bool) -> np.ndarray:
        if not is_one(userid) or userid is None:
            raise DataError("known_items is of one user; give one id")
        _, rows = self._fitted().seen(self._ids().rows("user", [userid]), rated_low)
        return self._ids().of("item")[rows]

    def similar_items(
        self, itemid: Any, N: int = 10, *, filter_items: Any = None, items: Any = None
    ) -> Ranking:
        """The N items whose vectors point the same way, the item itself first: (ids, cosines)."""
        if filter_items is None and items is None and is_one(itemid):
            return self._one("item", itemid, N, False, 0.0)
        filtered = self._ids().some(filter_items, "filter_items")
        return self._similar("item", itemid, N, filtered, self._ids().some(items, "items"))

    def similar_users(
        self, userid: Any, N: int = 10, *, filter_users: Any = None, users: Any = None
    ) -> Ranking:
        """The N users whose vectors point the same way, the user itself first: (ids, cosines)."""
        filtered = self._ids().some(filter_users, "filter_users", side="user")
        among = self._ids().some(users, "users", side="user")
        return self._similar("user", userid, N, filtered, among)

    def _one(self, side: str, asked: Any, N: int, masks: bool, debias: Optional[float]) -> Ranking:
        """The items of one user, or those like one item, without filters."""
        model, ids = self._fitted(), self._ids()
        row, count = ids.row(side, asked), ids.count("item", N)
        self._threads()  # one list needs none; a wrong number is refused as ever
        strength = self._strength(debias)
        return ids.named("item", *model.rank_row(row, side == "item", bool(masks), count, strength))

    def _similar(self, side: str, asked: Any, N: int, filtered: Any, only: Any) -> Ranking:
        model = self._fitted()
        one = is_one(asked)
        rows = self._ids().rows(side, [asked] if one else asked)
        table = model.users if side == "user" else model.items
        ids, scores = model.rank(
            table[rows],
            side == "user",
            True,
            None,
            None,
            filtered,
            only,
            self._ids().count(side, N),
            self._threads(),
            0.0,
            None,
            None,
            None,
        )
        return self._ids().answer(side, ids, scores, one, N)

    def partial_fit_users(self, user_items: Any) -> np.ndarray:
        """Vectors (users x dim) for new users from their items, without training again.

        `user_items` is a matrix with one row for each new user and the model's items as columns
        (`min_rating` holds for it), or a list of lists of item ids. Rank with
        ``recommend(..., recalculate_user=True)``.
        """
        if is_matrix(user_items):
            arrays = self._item_matrix(user_items, threshold_of(self.min_rating))
        else:
            arrays = _flat(self._ids().rows("item", row) for row in user_items)
        return self._fitted().fold_in(*arrays, self._threads())

    def partial_fit_items(self, item_users: Any) -> np.ndarray:
        """Vectors (items x dim) for new items from their first users, without training again.

        `item_users` is a matrix with one row for each new item and the model's users as columns
        (`min_rating` holds for it), or a list of lists of user ids. They are compared with
        ``user_factors`` as ``item_factors`` are; `evenkeel extend` makes a whole model of them.
        """
        model = self._fitted()
        if is_matrix(item_users):
            if item_users.shape[1] != model.shape[0]:
                raise DataError(
                    f"item_users has {item_users.shape[1]} columns where the model has "
                    f"{model.shape[0]} users; give one row for each new item"
                )
            arrays = wide_csr(item_users, "item_users", threshold_of(self.min_rating))
        else:
            arrays = _flat(self._ids().rows("user", row) for row in item_users)
        return model.fold_in_items(*arrays, self._threads())

    # -- what was learned ------------------------------------------------------------------------

    @property
    def user_factors(self) -> np.ndarray:
        """users x dim, float32: a read-only view of the model's own memory."""
        return self._fitted().users

    @property
    def item_factors(self) -> np.ndarray:
        """items x dim, float32: a read-only view of the model's own memory."""
        return self._fitted().items

    @property
    def user_ids_(self) -> np.ndarray:
        """The id of every row of `user_factors`."""
        return self._ids().of("user")

    @property
    def item_ids_(self) -> np.ndarray:
        """The id of every row of `item_factors`."""
        return self._ids().of("item")

    @property
    def score_(self) -> str:
        """How vectors are compared: cosine or dot."""
        return self._fitted().score

    @property
    def debias_(self) -> float:
        """Strength of the popularity correction that lists are made with; may be set."""
        return self._fitted().debias

    @debias_.setter
    def debias_(self, strength: float) -> None:
        self._fitted().debias = strength_of(strength)

    @property
    def temperature_(self) -> float:
        """T of the popularity correction; 0 where it is not known yet."""
        return self._fitted().temperature

    def _strength(self, debias: Optional[float]) -> float:
        return self._fitted().debias if debias is None else strength_of(debias)

    # -- ids and rows ----------------------------------------------------------------------------

    def _fitted(self) -> _core.Model:
        if not hasattr(self, "_model"):
            raise NotFittedError("this recommender has no model yet; call fit or load first")
        model: _core.Model = self._model
        return model

    def _ids(self) -> Lookup:
        """The model's ids; read once."""
        if not hasattr(self, "_lookup"):
            self._lookup = Lookup(self._fitted())
        return self._lookup

    def _item_matrix(
        self, matrix: Any, threshold: Optional[float] = None
    ) -> tuple[np.ndarray, np.ndarray]:
        items = self._fitted().shape[1]
        if matrix.shape[1] != items:
            check_shape(matrix, (matrix.shape[0], items), "user_items")
        return wide_csr(matrix, "user_items", threshold)

    def _asked(
        self, userid: Any, vector: Any, history: Any, user_items: Any, anew: bool, skip: bool
    ) -> "_Asked":
        """Who is asked for, as vectors, with what they have already."""
        given = {"userid": userid, "vector": vector, "history": history}
        named = [name for name, value in given.items() if value is not None]
        if len(named) != 1:
            told = " and ".join(named) if named else "neither userid nor vector nor history"
            raise ConfigError(f"recommend was given {told}; give one of them")
        if history is not None:
            if user_items is not None or anew:
                raise ConfigError("history says what the user has; leave user_items out")
            return self._asked_by_history(history, skip)
        if vector is not None:
            if anew:
                raise ConfigError("vector is ranked as it is; leave recalculate_user out")
            return self._asked_by_vector(vector, user_items)
        if isinstance(userid, (set, frozenset)):
            raise DataError("userid is a set, which has no order; give a list of users")
        one = is_one(userid)
        users = [userid] if one else userid
        liked = self._liked(user_items, len(users))
        if anew:
            if liked is None:
                raise ConfigError("recalculate_user needs user_items; give each user's items")
            return _Asked(self.partial_fit_users(user_items), liked, one, history=liked)
        rows = self._ids().found("user", users)[0] if skip else self._ids().rows("user", users)
        unknown = np.flatnonzero(rows < 0)
        rows = np.maximum(rows, 0)
        return _Asked(self._fitted().users[rows], liked, one, users=rows, unknown=unknown)

    def _asked_by_vector(self, vector: Any, user_items: Any) -> "_Asked":
        vectors = np.atleast_2d(np.asarray(vector, dtype=np.float32))
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise DataError("vector must be one vector or a row for each user, all finite")
        liked = self._liked(user_items, len(vectors))
        return _Asked(vectors, liked, np.ndim(vector) == 1, history=liked)

    def _asked_by_history(self, history: Any, skip: bool) -> "_Asked":
        if is_matrix(history):
            raise DataError("history is a matrix; give it as user_items with recalculate_user=True")
        listed = [history] if is_one(history) else list(history)
        one = all(is_one(item) for item in listed)
        find = self._ids().known_rows if skip else self._ids().rows
        lists = [np.unique(find("item", row)) for row in ([listed] if one else listed)]
        empty = [place for place, rows in enumerate(lists) if len(rows) == 0]
        if empty and not skip:
            which = "" if one else f" {empty[0]}"
            raise DataError(f"history{which} is empty; name at least one item of the user's")
        liked = _flat(lists)
        vectors = self._fitted().fold_in(*liked, self._threads())
        return _Asked(vectors, liked, one, history=liked, unknown=empty)

    def _liked(self, user_items: Any, users: int) -> Optional[Arrays]:
        if user_items is None:
            return None
        if not is_matrix(user_items):
            raise DataError(
                "user_items must be a scipy matrix with one row for each user; a list of item ids "
                "is history="
            )
        if user_items.shape[0] != users:
            raise DataError(
                f"user_items has {user_items.shape[0]} rows for {users} users; give one row for "
                "each user asked for, in the same order"
            )
        return self._item_matrix(user_items)

    def _threads(self) -> int:
        return threads_of(self.num_threads)


class _Asked(NamedTuple):
    """Who a list is for."""

    vectors: np.ndarray
    liked: Optional[Arrays]  # what is masked; without it, what the log holds of the users
    one: bool
    users: Optional[np.ndarray] = None  # rows of those whom the model knows
    history: Optional[Arrays] = None  # what a reranker knows of the others
    unknown: Any = ()  # places whose list is empty


def _flat(lists: Iterable[np.ndarray]) -> Arrays:
    """Lists of rows as (indptr, indices)."""
    listed = list(lists)
    offsets = np.cumsum([0] + [len(row) for row in listed], dtype=np.int64)
    return offsets, np.concatenate([np.zeros(0, np.int64), *listed])
