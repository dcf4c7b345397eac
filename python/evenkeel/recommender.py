"""In: interactions and parameters. Out: a trained recommender with the verbs of `implicit`."""

from __future__ import annotations

import html
import json
import logging
import os
import tempfile
import warnings
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._errors import ConfigError, DataError, NotFittedError
from ._inputs import check_shape, dataset_of, is_matrix, is_one, is_path, wide_csr
from ._keywords import known_keywords
from ._lookup import Lookup, Ranking
from ._options import strength_of, threads_of, threshold_of
from ._params import Parameters, engine_settings, parameter_help
from ._progress import Callback, told_epochs, with_progress
from ._records import parameters_of, read_history, read_result
from .dataset import Dataset

_log = logging.getLogger("evenkeel")
_DATA_PARAMETERS = (
    "format user_column item_column rating_column time_column min_rating separator header "
    "on_bad_row k_core split"
).split()


class Recommender(Parameters):
    """Collaborative filtering with bias-aware margins (and every other loss of the engine).

    A parameter left at None takes the engine's default, which is shown below.
    After `fit`: ``user_factors`` (users x dim), ``item_factors`` (items x dim), ``user_ids_``,
    ``item_ids_``, ``result_`` (what result.json holds), ``history_`` (one dict an epoch),
    ``best_epoch_``.
    """

    num_threads: Optional[int]
    min_rating: Optional[float]

    @known_keywords
    def __init__(
        self,
        *,
        encoder: Optional[str] = None,
        loss: Optional[str] = None,
        optimizer: Optional[str] = None,
        dim: Optional[int] = None,
        negatives: Optional[Union[int, str]] = None,
        shared_negatives: Optional[bool] = None,
        tile: Optional[int] = None,
        samples: Optional[str] = None,
        score: Optional[str] = None,
        batch: Optional[int] = None,
        accumulate: Optional[int] = None,
        l2: Optional[float] = None,
        validation: Optional[float] = None,
        refit: Optional[bool] = None,
        epochs: Optional[int] = None,
        eval_every: Optional[int] = None,
        validation_users: Optional[Union[int, str]] = None,
        evaluation_users: Optional[Union[int, str]] = None,
        goal: Optional[str] = None,
        debias: Optional[Union[float, str]] = None,
        lr_decay: Optional[float] = None,
        patience: Optional[int] = None,
        name: Optional[str] = None,
        random_state: Optional[int] = None,
        num_threads: Optional[int] = None,
        checkpoint_seconds: Optional[float] = None,
        layers: Optional[int] = None,
        half_width: Optional[bool] = None,
        tau: Optional[float] = None,
        negative_weight: Optional[float] = None,
        margin: Optional[str] = None,
        margin_strength: Optional[float] = None,
        margin_shape: Optional[str] = None,
        tau_extractor: Optional[float] = None,
        extractor: Optional[str] = None,
        extractor_epochs: Optional[int] = None,
        top_k: Optional[int] = None,
        tau_weight: Optional[float] = None,
        threshold_epochs: Optional[int] = None,
        threshold_negatives: Optional[int] = None,
        surrogate: Optional[str] = None,
        ccl_weight: Optional[float] = None,
        ccl_margin: Optional[float] = None,
        cf_pen: Optional[float] = None,
        control_table: Optional[str] = None,
        reg_weight: Optional[float] = None,
        sam_share: Optional[float] = None,
        macr_alpha: Optional[float] = None,
        macr_beta: Optional[float] = None,
        macr_c: Optional[float] = None,
        lr: Optional[float] = None,
        format: Optional[str] = None,
        user_column: Optional[str] = None,
        item_column: Optional[str] = None,
        rating_column: Optional[str] = None,
        time_column: Optional[str] = None,
        min_rating: Optional[float] = None,
        separator: Optional[str] = None,
        header: Optional[str] = None,
        on_bad_row: Optional[str] = None,
        k_core: Optional[int] = None,
        split: Optional[str] = None,
    ) -> None:
        for parameter, given in dict(locals()).items():
            if parameter != "self":
                setattr(self, parameter, given)

    # -- training --------------------------------------------------------------------------------

    @known_keywords
    def fit(
        self,
        user_items: Any,
        y: Any = None,
        *,
        valid: Any = None,
        out: Optional[str] = None,
        overwrite: bool = False,
        show_progress: bool = False,
        callback: Optional[Callback] = None,
    ) -> "Recommender":
        """Trains on a scipy matrix (users x items), pairs, a table, a `Dataset` or a path.

        `valid` (a matrix, beside a matrix) chooses the best epoch; without it a share of train is
        held out (parameter `validation`). With `min_rating` a matrix holds ratings, and those below
        are no interactions. A path is read and split as `evenkeel train` does; a parameter of
        reading that the data has no use for is refused. `out` writes a run folder. `callback(epoch, info)` is called after every epoch and may return True to
        stop. Ctrl-C ends training with the best epoch so far and raises KeyboardInterrupt.
        `y` is ignored (scikit-learn passes one).
        """
        history: list[dict[str, Any]] = []
        threads_of(self.num_threads)
        settings = engine_settings(self.get_params())
        if settings["min_rating"] is not None:
            settings["min_rating"] = str(settings["min_rating"])
        on_epoch, close = with_progress(told_epochs(history, callback), show_progress)
        source = self._source(user_items, valid)
        try:
            model, result, raised = _core.fit(
                source,
                not isinstance(user_items, Dataset),
                settings,
                os.fspath(out or ""),
                overwrite,
                on_epoch,
                _log.info,
            )
        finally:
            close()
        if model is not None:
            self._model = model
            self.__dict__.pop("_lookup", None)
            self.result_ = json.loads(result)
            self.history_ = history
            self.best_epoch_ = self.result_["best_epoch"]
        if raised is not None:
            raise raised
        return self

    def _source(self, data: Any, valid: Any) -> Any:
        if is_path(data):
            if valid is not None:
                raise DataError("valid= goes with a matrix; a folder has its own valid.txt")
            return os.fspath(data)
        if is_matrix(data):
            before = self._model.shape if hasattr(self, "_model") else None
            if before and before[0] != before[1] and tuple(data.shape) == before[::-1]:
                warnings.warn(
                    f"the matrix has the shape {data.shape}, the last one had {before}: if it is "
                    "items x users, give its .T",
                    stacklevel=3,
                )
        return dataset_of(data, self._data_settings(), valid)

    def _data_settings(self) -> dict[str, Any]:
        settings = {name: getattr(self, name) for name in _DATA_PARAMETERS}
        if settings["min_rating"] is not None:
            settings["min_rating"] = str(settings["min_rating"])
        return settings

    def _reading_options(self) -> dict[str, Any]:
        """What was set of how to read a file; the model knows the rest."""
        settings = self._data_settings()
        return {n: v for n, v in settings.items() if v is not None and n not in ("split", "k_core")}

    # -- ranking ---------------------------------------------------------------------------------

    @known_keywords
    def recommend(
        self,
        userid: Any,
        user_items: Any = None,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items: Any = None,
        recalculate_user: bool = False,
        items: Any = None,
        debias: Optional[float] = None,
    ) -> Ranking:
        """The best N items of one user, or of each of an array of users: (ids, scores).

        `user_items` (one row for each user asked for) says what a user has already; without it
        the training items count. `recalculate_user` makes the users' vectors anew from it, also
        for users that the model does not know. `filter_items` are never given, `items` alone are
        ranked; both hold for all users asked for. Places that no item is left for hold -1 (None
        where ids are text or need unsigned 64 bits) and minus infinity; one user's list ends there.
        `debias` is the strength of the popularity correction (0: as logged, 1: the log's popularity
        taken out); without it, `debias_`.
        """
        model = self._fitted()
        one = is_one(userid)
        users = [userid] if one else userid
        liked = self._liked(user_items, len(users))
        if recalculate_user:
            if liked is None:
                raise ConfigError("recalculate_user needs user_items; give each user's items")
            vectors, rows = self.partial_fit_users(user_items), None
        else:
            rows = self._ids().rows("user", users)
            vectors = model.users[rows]
        masks = filter_already_liked_items
        ids, scores = model.rank(
            vectors,
            False,
            False,
            rows if masks and liked is None else None,
            liked if masks else None,
            self._ids().some(filter_items, "filter_items"),
            self._ids().some(items, "items"),
            self._ids().count("item", N, one),
            self._threads(),
            self._strength(debias),
        )
        return self._ids().answer("item", ids, scores, one)

    def similar_items(
        self, itemid: Any, N: int = 10, *, filter_items: Any = None, items: Any = None
    ) -> Ranking:
        """The N items whose vectors point the same way, the item itself first: (ids, cosines)."""
        filtered = self._ids().some(filter_items, "filter_items")
        return self._similar("item", itemid, N, filtered, self._ids().some(items, "items"))

    def similar_users(self, userid: Any, N: int = 10) -> Ranking:
        """The N users whose vectors point the same way, the user itself first: (ids, cosines)."""
        return self._similar("user", userid, N, None, None)

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
            self._ids().count(side, N, one),
            self._threads(),
            0.0,
        )
        return self._ids().answer(side, ids, scores, one)

    def partial_fit_users(self, user_items: Any) -> np.ndarray:
        """Vectors (users x dim) for new users from their items, without training again.

        `user_items` is a matrix with one row for each new user and the model's items as columns
        (`min_rating` holds for it), or a list of lists of item ids. Rank with
        ``recommend(..., recalculate_user=True)``.
        """
        model = self._fitted()
        if is_matrix(user_items):
            arrays = self._item_matrix(user_items, threshold_of(self.min_rating))
        else:
            lists = [self._ids().rows("item", row) for row in user_items]
            offsets = np.cumsum([0] + [len(row) for row in lists], dtype=np.int64)
            arrays = offsets, np.concatenate([np.zeros(0, np.int64), *lists])
        return model.fold_in(*arrays, self._threads())

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

    # -- files -----------------------------------------------------------------------------------

    def save(self, path: Any) -> None:
        """Writes model.safetensors; `evenkeel recommend` and `load` read it."""
        self._fitted().save(os.fspath(path))

    def export(self, path: Any, format: str = "npz", *, debias: Optional[float] = None) -> None:
        """Writes vectors whose plain dot product ranks as `recommend` does: npy, npz or word2vec.

        With a popularity correction (`debias`; without it, `debias_`) they have one number more.
        """
        self._fitted().export(format, os.fspath(path), self._strength(debias))

    @classmethod
    def load(cls, path: Any) -> "Recommender":
        """Reads a model file, or the model of a run folder.

        A run folder also restores the parameters that the model was trained with, ``result_``,
        ``history_`` and ``best_epoch_``.
        """
        path = os.fspath(path)
        if not os.path.isdir(path):
            recommender = cls()
            recommender._model = _core.Model.load(path)
            return recommender
        result = read_result(path)
        recommender = cls(**(parameters_of(result, cls._names()) if result else {}))
        recommender._model = _core.Model.load(os.path.join(path, "model.safetensors"))
        if result is not None:
            recommender.result_ = result
            recommender.history_ = read_history(path)
            recommender.best_epoch_ = result["best_epoch"]
        return recommender

    def _repr_html_(self) -> str:
        """What a notebook shows: the parameters that were given, and the figures of `fit`."""
        rows = [(name, value) for name, value in self.get_params().items() if value is not None]
        if hasattr(self, "_model"):
            users, items = self._model.shape
            rows.append(("model", f"{users:,} users x {items:,} items, debias {self.debias_:g}"))
        for part, figures in getattr(self, "result_", {}).get("evaluations", {}).items():
            shown = [k for k in ("recall@20", "ndcg@20") if k in figures]
            told = ", ".join(f"{k} {figures[k]:.4f}" for k in shown)
            rows.append((part, told))
        cells = "".join(
            f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(value))}</td></tr>"
            for name, value in rows
        )
        return f"<table><caption>{type(self).__name__}</caption>{cells}</table>"

    def __getstate__(self) -> dict[str, Any]:
        state = {k: v for k, v in self.__dict__.items() if k not in ("_model", "_lookup")}
        if hasattr(self, "_model"):
            with tempfile.TemporaryDirectory() as folder:
                self._model.save(os.path.join(folder, "model"))
                with open(os.path.join(folder, "model"), "rb") as file:
                    state["_model_bytes"] = file.read()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = state.pop("_model_bytes", None)
        self.__dict__.update(state)
        if model is not None:
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "model"), "wb") as file:
                    file.write(model)
                self._model = _core.Model.load(os.path.join(folder, "model"))

    # -- ids and rows ----------------------------------------------------------------------------

    def _fitted(self) -> _core.Model:
        if not hasattr(self, "_model"):
            raise NotFittedError("this recommender has no model yet; call fit or load first")
        model: _core.Model = self._model
        return model

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(sparse=True, string=True),
        )

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

    def _liked(self, user_items: Any, users: int) -> Optional[tuple[np.ndarray, np.ndarray]]:
        if user_items is None:
            return None
        if not is_matrix(user_items):
            raise DataError("user_items must be a scipy matrix with one row for each user")
        if user_items.shape[0] != users:
            raise DataError(
                f"user_items has {user_items.shape[0]} rows for {users} users; give one row for "
                "each user asked for, in the same order"
            )
        return self._item_matrix(user_items)

    def _threads(self) -> int:
        return threads_of(self.num_threads)


Recommender.__doc__ = f"{(Recommender.__doc__ or '').rstrip()}\n\n{parameter_help()}\n"

BCRecommender = Recommender  # the name of the first version
