"""In: what went wrong in the engine. Out: exceptions that carry the engine's sentence."""


class Error(RuntimeError):
    """The run failed: disk full, training diverged, out of memory."""


class DataError(Error, ValueError):
    """The data is wrong; the sentence says where and what to do."""


class ConfigError(Error, ValueError):
    """A parameter is wrong; the sentence names it and what is allowed."""


class UnknownIdError(DataError, LookupError):
    """The model was not trained on this user or item."""


UnknownUserError = UnknownIdError  # the name of the first version


class NotFittedError(Error, ValueError, AttributeError):
    """The recommender has no model yet; call fit or load first."""


class KeywordError(ConfigError, TypeError):
    """A keyword that the function does not take; the sentence names the nearest that it does."""
