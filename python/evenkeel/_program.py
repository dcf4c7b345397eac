"""In: words of the command line. Out: what the program prints, its errors as Python's.

The commands that read or write folders run in the program of the wheel, in a process of their own:
one implementation, the same files, and a stop that loses nothing.
"""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
from typing import Any, Iterable, Mapping

from ._errors import ConfigError, DataError, Error
from ._params import engine_name

_log = logging.getLogger("evenkeel")
_PREFIX = "evenkeel: "
_ERRORS: dict[int, type[Error]] = {2: ConfigError, 3: DataError}
INTERRUPTED = 4


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Options as words; what is None is not said."""
    words = []
    for name, value in options.items():
        if value is None:
            continue
        item = getattr(value, "item", None)  # numpy's scalars
        value = item() if callable(item) else value
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words.append(f"--{engine_name(name).replace('_', '-')}={text}")
    return words


def start(*words: str) -> "subprocess.Popen[str]":
    """The program at work: its output and messages are pipes."""
    from evenkeel_program import path

    # Of its own session: Ctrl-C is passed on once, and a second one would end it at once.
    return subprocess.Popen(
        [path(), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def failure(code: int, messages: list[str]) -> Error:
    """The exception for an exit code, with the program's sentence."""
    marked = [line[len("error: ") :] for line in messages if line.startswith("error: ")]
    sentence = marked[-1] if marked else (messages[-1] if messages else f"exit code {code}")
    return _ERRORS.get(code, Error)(sentence)


def listen(stream: Iterable[str], messages: list[str]) -> None:
    """Keeps the program's sentences and passes them to the logger, until it ends."""
    for line in stream:
        sentence = line.rstrip("\n")
        if sentence.startswith(_PREFIX):
            sentence = sentence[len(_PREFIX) :]
        if sentence.strip():
            messages.append(sentence)
            _log.info(sentence)


def run(*words: str) -> str:
    """What the program prints. Ctrl-C reaches it, and it leaves its folder so that it can go on."""
    messages: list[str] = []
    with start(*words) as process:
        assert process.stdout is not None and process.stderr is not None
        reader = threading.Thread(target=listen, args=(process.stderr, messages), daemon=True)
        reader.start()
        try:
            printed = process.stdout.read()
            code = process.wait()
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        finally:
            reader.join()
    if code == INTERRUPTED:
        raise KeyboardInterrupt(messages[-1] if messages else "stopped")
    if code != 0:
        raise failure(code, messages)
    return printed
