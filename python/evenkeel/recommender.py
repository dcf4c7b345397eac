"""In: interactions and parameters. Out: a trained recommender with the verbs of `implicit`."""

from __future__ import annotations

import html
import json
import logging
import os
import tempfile
import warnings
from typing import Any, Optional, TypeVar

from . import _core
from ._errors import ConfigError, DataError, NotFittedError
from ._inputs import Path, dataset_of, is_matrix, is_path, kind_of, weigh
from ._keywords import known_keywords
from ._options import threads_of
from ._params import engine_settings, parameter_help
from ._progress import Callback, Make, told_epochs, with_progress
from ._ranking import RankingModel
from ._records import parameters_of, read_history, read_result
from .dataset import Dataset

_log = logging.getLogger("evenkeel")
Self = TypeVar("Self", bound="Recommender")
_DATA_PARAMETERS = (
    "format user_column item_column rating_column time_column min_rating separator header "
    "on_bad_row k_core split weight_column half_life"
).split()


class Recommender(RankingModel):
    """Collaborative filtering with bias-aware margins (and every other loss of the engine).

    A parameter left at None takes the engine's default, which is shown below.
    After `fit`: ``user_factors`` (users x dim), ``item_factors`` (items x dim), ``user_ids_``,
    ``item_ids_``, ``result_`` (what result.json holds), ``history_`` (one dict per epoch),
    ``best_epoch_``.
    """

    result_: dict[str, Any]
    history_: list[dict[str, Any]]
    best_epoch_: int

    # -- training --------------------------------------------------------------------------------

    @known_keywords
    def fit(
        self: Self,
        user_items: Any,
        y: Any = None,
        *,
        valid: Any = None,
        weights: Any = None,
        out: Optional[Path] = None,
        overwrite: bool = False,
        resume: bool = False,
        show_progress: bool = False,
        callback: Optional[Callback] = None,
    ) -> Self:
        """Trains on a scipy matrix (users x items), pairs, a table, a `Dataset` or a path.

        `valid` (a matrix, beside a matrix) chooses the best epoch; without it a share of train is
        held out (parameter `validation`). With `min_rating` a matrix holds ratings, and those below
        are no interactions. A path is read and split as `evenkeel train` does; a parameter of
        reading that the data has no use for is refused. `weights` (a matrix of the same shape, or
        one number for each value of a CSR matrix) says how often each interaction is drawn; a file
        has `weight_column` and `half_life` for that. `out` writes a run folder; with `resume` a
        training that was stopped there goes on from its checkpoint, or begins if there is none.
        `callback(epoch, info)` is called after every epoch and may return True to stop; one that
        takes three arguments is given the model as it stands, too (made when it is first used).
        Ctrl-C ends training with the best epoch so far and raises KeyboardInterrupt.
        `y` is ignored (scikit-learn passes one).
        """
        if resume and not out:
            raise ConfigError("resume goes on in a run folder; name it with out=")
        history: list[dict[str, Any]] = []
        threads_of(self.num_threads)
        settings = engine_settings(self.get_params())
        if settings["min_rating"] is not None:
            settings["min_rating"] = str(settings["min_rating"])
        on_epoch, close = with_progress(
            told_epochs(history, callback, self._at_epoch), show_progress
        )
        source = self._source(user_items, valid)
        if weights is not None:
            self._weigh(source, user_items, weights, valid)
        try:
            model, result, raised = _core.fit(
                source,
                not isinstance(user_items, Dataset),
                settings,
                os.fspath(out or ""),
                overwrite,
                resume,
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

    def _at_epoch(self, make: Make) -> "Recommender":
        return _EpochModel(make, self.get_params())

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

    def _weigh(self, source: Any, data: Any, weights: Any, valid: Any) -> None:
        if not is_matrix(data):
            raise DataError(
                f"weights= goes with a matrix, and the data is {kind_of(data)}; a file has "
                "weight_column for them"
            )
        if valid is not None and self.refit:
            raise ConfigError(
                "refit trains on valid, whose interactions have no weights; leave one of valid=, "
                "weights= and refit out"
            )
        weigh(source, data, weights)

    def _data_settings(self) -> dict[str, Any]:
        settings = {name: getattr(self, name) for name in _DATA_PARAMETERS}
        if settings["min_rating"] is not None:
            settings["min_rating"] = str(settings["min_rating"])
        return settings

    def _reading_options(self) -> dict[str, Any]:
        """What was set of how to read a file; the model knows the rest."""
        settings = self._data_settings()
        unread = ("split", "k_core", "weight_column", "half_life")
        return {n: v for n, v in settings.items() if v is not None and n not in unread}

    # -- files -----------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes model.safetensors; `evenkeel recommend` and `load` read it."""
        self._fitted().save(os.fspath(path))

    def export(self, path: Path, format: str = "npz", *, debias: Optional[float] = None) -> None:
        """Writes vectors whose plain dot product ranks as `recommend` does: npy, npz or word2vec.

        With a popularity correction (`debias`; without it, `debias_`) they have one number more.
        """
        self._fitted().export(format, os.fspath(path), self._strength(debias))

    @classmethod
    def load(cls: type[Self], path: Path) -> Self:
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

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(sparse=True, string=True),
        )


class _EpochModel(Recommender):
    """What a callback sees: a model that is made when it is first used, during the call only."""

    def __init__(self, make: Make, params: dict[str, Any]) -> None:
        self.__dict__.update(params)
        self._make = make

    @classmethod
    def _names(cls) -> list[str]:
        return Recommender._names()

    def _fitted(self) -> _core.Model:
        model: _core.Model = self._model
        return model

    def __getattr__(self, name: str) -> Any:
        if name != "_model":
            raise AttributeError(f"the model of a callback has no '{name}' yet")
        model = self._make()
        if model is None:
            raise NotFittedError(
                "the model of a callback can be looked at during the call only; keep what you need"
            )
        self._model = model
        return model

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_make"}


Recommender.__doc__ = f"{(Recommender.__doc__ or '').rstrip()}\n\n{parameter_help()}\n"


def load(path: Path) -> Recommender:
    """`Recommender.load`: a model file, or a run folder with its parameters and figures."""
    return Recommender.load(path)


BCRecommender = Recommender  # the name of the first version
