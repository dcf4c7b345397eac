"""The command `evenkeel` of the wheel.

In: the words of the command line. Out: the program itself, in place of this process, so that
signals, output and exit codes are its own; Parquet files go to it as streams. A package apart: importing evenkeel would first load
numpy and scipy.
"""

import os
import signal
import sys
import sysconfig


def path() -> str:
    """Where the program is: beside this file, or, in an editable install, in site-packages."""
    beside = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(sysconfig.get_path("platlib"), __name__)
    for folder in (beside, installed):
        program = os.path.join(folder, "evenkeel")
        if os.access(program, os.X_OK):
            return program
    raise FileNotFoundError(f"there is no program in {beside}; install evenkeel-cf again")


def main() -> None:
    """Becomes the program. Python ignores two signals, and what is ignored stays so; undo it."""
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    words = sys.argv[1:]
    if any(word.endswith((".parquet", ".pq")) for word in words):
        from ._parquet import with_streams

        words = with_streams(words)
    os.execv(path(), ["evenkeel", *words])
