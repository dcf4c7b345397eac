"""In: paths, parameters, models. Out: what the commands auto, sweep, resume, prepare and serve do."""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
from typing import Any, Iterable, Mapping, Optional, Union

from ._errors import ConfigError
from ._inputs import Path
from ._keywords import known_keywords, unknown_keyword
from ._options import threads_of
from ._program import failure, listen, run, start, words_of
from .recommender import Recommender


@known_keywords
def auto(
    data: Path,
    out: Path,
    *,
    model: Optional[Recommender] = None,
    budget: Union[int, str, None] = None,
    overwrite: bool = False,
) -> Recommender:
    """Trains with temperature, margin strength and learning rate chosen on validation.

    As ``evenkeel train DATA --auto --out OUT``: `data` is a folder (``Dataset.save`` writes one) or
    a file, `model` gives the parameters that stay as they are, `budget` is a number of settings to
    try or a time such as "10m". The answer is the model of the run folder `out`.
    """
    words = ["--auto", *words_of({"budget": budget, **_given(model)})]
    return _train(os.fspath(data), out, *words, *(["--overwrite"] if overwrite else []))


@known_keywords
def resume(out: Path, *, epochs: Optional[int] = None) -> Recommender:
    """Goes on with the training of a run folder, by its own settings and data path; `epochs` may
    allow it more. (A run of data in memory goes on with ``fit(data, out=out, resume=True)``.)"""
    return _train("", out, "--resume", *words_of({"epochs": epochs}))


@known_keywords
def sweep(
    data: Path,
    space: Optional[Mapping[str, Iterable[Any]]] = None,
    out: Optional[Path] = None,
    *,
    model: Optional[Recommender] = None,
    budget: Union[int, str, None] = None,
    jobs: int = 1,
) -> list[dict[str, Any]]:
    """Tries every setting of `space`, as in ``{"tau": [0.06, 0.1]}``, and ranks them on validation.

    `data` may be an experiment file (.toml), which has its own space. `model` gives the other
    parameters, `budget` limits settings or time. The answer has ``ranking``, best first, for every
    method: ``options`` and what ``valid`` says of them.
    """
    known = Recommender._names()
    words = words_of({"out": out, "budget": budget, "jobs": jobs, **_given(model)})
    for name, values in (space or {}).items():
        if name not in known:
            raise ConfigError(unknown_keyword("space: parameter", name, known))
        (axis,) = words_of({name: ",".join(str(value) for value in values)})
        words += ["--space", axis[2:]]
    answer: list[dict[str, Any]] = json.loads(
        run("sweep", os.fspath(data), *words, "--json", "--quiet")
    )
    return answer


@known_keywords
def prepare(
    logs: Union[Path, Iterable[Path]],
    out: Path,
    *,
    split: Optional[str] = None,
    times: bool = False,
    memory: Optional[str] = None,
    random_state: Optional[int] = None,
    k_core: Optional[int] = None,
    format: Optional[str] = None,
    user_column: Optional[str] = None,
    item_column: Optional[str] = None,
    rating_column: Optional[str] = None,
    time_column: Optional[str] = None,
    min_rating: Optional[float] = None,
    separator: Optional[str] = None,
    header: Optional[str] = None,
    on_bad_row: Optional[str] = None,
    num_threads: Optional[int] = None,
) -> str:
    """Reads logs once into a folder that `fit`, `Dataset.load` and every command take without
    parsing text again. `memory` ("4G") bounds the pairs that are held; the rest as in `split`.
    Returns `out`."""
    options = {name: value for name, value in locals().items() if name not in ("logs", "times")}
    listed = [logs] if isinstance(logs, (str, os.PathLike)) else list(logs)
    files = [os.fspath(log) for log in listed]
    run("prepare", *files, *words_of(options), *(["--times"] if times else []))
    return os.fspath(out)


class Server:
    """A server at work: ``url`` is where. Leaving a ``with`` block, or `stop`, ends it."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Any) -> None:
        self._process, self._folder = process, folder
        self._messages: list[str] = []
        stream = process.stderr
        assert stream is not None
        self.url = ""
        for line in stream:
            listen([line], self._messages)
            found = re.search(r" at (http://\S+?)(,|$)", line.rstrip())
            if found:
                self.url = found[1]
                break
        if not self.url:
            code = process.wait()
            self._close()
            raise failure(code, self._messages)
        threading.Thread(target=listen, args=(stream, self._messages), daemon=True).start()
        atexit.register(self.stop)

    def stop(self) -> None:
        """Ends it; every request that has come is answered first."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()
        atexit.unregister(self.stop)
        self._close()

    def wait(self) -> None:
        """Until somebody else ends it, or Ctrl-C does."""
        try:
            self._process.wait()
        finally:
            self.stop()

    def _close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *raised: Any) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Server({self.url!r}{'' if self._process.poll() is None else ', stopped'})"


@known_keywords
def serve(
    model: Union[Recommender, Path],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    titles: Optional[Path] = None,
    token_file: Optional[Path] = None,
    watch: bool = False,
    approximate: bool = False,
    num_threads: int = 0,
) -> Server:
    """Answers over HTTP in a process of its own: lists, similar items, a page to search.

    `model` is a fitted recommender, a run folder or a model file; port 0 is a free one. The
    endpoints are those of ``evenkeel serve``; ``url + "/openapi.json"`` lists them.
    """
    folder = None
    if isinstance(model, Recommender):
        folder = tempfile.TemporaryDirectory(prefix="evenkeel-")
        path = os.path.join(folder.name, "model.safetensors")
        model.save(path)
    else:
        path = os.fspath(model)
    options = dict(host=host, port=port, titles=titles, token_file=token_file)
    flags = ["--watch"] * watch + ["--approximate"] * approximate
    words = words_of({**options, "num_threads": threads_of(num_threads)})
    return Server(start("serve", path, *words, *flags), folder)


def _given(model: Optional[Recommender]) -> dict[str, Any]:
    return {} if model is None else model.get_params()


def _train(data: str, out: Path, *words: str) -> Recommender:
    places = [data] if data else []
    run("train", *places, f"--out={os.fspath(out)}", "--quiet", *words)
    return Recommender.load(out)
