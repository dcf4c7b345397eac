"""evenkeel: recommenders without popularity bias, on an ordinary CPU.

In: interactions as a matrix, pairs, a table or a file. Out: a Recommender and its figures.
"""

from ._core import version as __version__
from ._errors import ConfigError, DataError, Error, NotFittedError, UnknownIdError, UnknownUserError
from .by_row import as_implicit
from .commands import Server, auto, prepare, resume, serve, sweep
from .dataset import Dataset
from .functions import evaluate, experiment, metrics, report, split, stats, synthetic
from .recommender import BCRecommender, Recommender, load
from .selection import InteractionKFold, ProtocolSplit, scorer

__all__ = [
    "BCRecommender",
    "ConfigError",
    "DataError",
    "Dataset",
    "Error",
    "InteractionKFold",
    "NotFittedError",
    "ProtocolSplit",
    "Recommender",
    "Server",
    "UnknownIdError",
    "UnknownUserError",
    "__version__",
    "as_implicit",
    "auto",
    "evaluate",
    "experiment",
    "load",
    "metrics",
    "prepare",
    "report",
    "resume",
    "scorer",
    "serve",
    "split",
    "stats",
    "sweep",
    "synthetic",
]
