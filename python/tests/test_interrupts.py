"""In: Ctrl-C, the interpreter's exit, threads that nobody has. Out: an end that is clean and soon."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import evenkeel as ek

QUICK = dict(dim=8, epochs=1, negatives=2, num_threads=1)


def run(code, timeout=60, **more):
    """A script in an interpreter of its own: (exit code, stdout, stderr)."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=timeout,
        **more,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def interruptible():
    """Ctrl-C as at a prompt: what a shell starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted_after(seconds, act):
    """How long the call went on after Ctrl-C."""
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            act()
        return time.monotonic() - pressed[0]
    finally:
        timer.cancel()


@pytest.fixture(scope="module")
def large():
    """So many users and items that ranking all of them would take minutes."""
    rng = np.random.default_rng(0)
    users, items = 20000, 30000
    rows = np.repeat(np.arange(users), 2)
    csr = sp.csr_matrix(
        (np.ones(len(rows)), (rows, rng.integers(items, size=len(rows)))), (users, items)
    )
    return ek.BCRecommender(**{**QUICK, "loss": "most-pop"}).fit(csr), csr


def test_ctrl_c_ends_recommend(large, interruptible):
    model, csr = large
    many = np.tile(np.arange(csr.shape[0]), 3)
    assert interrupted_after(0.5, lambda: model.recommend(many, N=2000)) < 10
    again = np.tile(np.arange(csr.shape[0]), 2)
    taken = interrupted_after(
        0.5, lambda: model.recommend(again, csr[again], N=2000, recalculate_user=True)
    )
    assert taken < 10
    assert len(model.recommend(3)[0]) == 10


def test_ctrl_c_ends_synthetic(interruptible):
    size = dict(users=200000, items=100000, interactions=10**6, num_threads=1)
    assert interrupted_after(0.5, lambda: ek.synthetic(**size)) < 10


FITTING = """
    import sys, threading, time
    import numpy as np
    import evenkeel as ek

    csr = ek.synthetic(users=300, items=200, interactions=3000)["train"]
    begun = threading.Event()

    def fit():
        model = ek.BCRecommender(epochs=10**6, patience=10**6, num_threads=2, loss="{loss}")
        model.fit(csr, callback=lambda epoch, info: begun.set(), out={out!r})

    threading.Thread(target=fit, daemon=True).start()
    assert begun.wait(60)
    print("bye")
"""


@pytest.mark.parametrize("loss", ["softmax", "bpr"])
def test_exit_while_a_daemon_thread_fits(loss):
    for _ in range(2):
        code, out, err = run(FITTING.format(loss=loss, out=None))
        assert (code, out, err) == (0, "bye\n", "")


def test_exit_leaves_a_checkpoint(tmp_path):
    code, _, err = run(FITTING.format(loss="softmax", out=str(tmp_path / "run")))
    assert (code, err) == (0, "")
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()


def test_exit_while_daemon_threads_use_a_model():
    code, out, err = run(
        """
        import threading, time
        import numpy as np
        import evenkeel as ek

        data = ek.synthetic(users=300, items=200, interactions=3000)
        model = ek.BCRecommender(dim=8, epochs=1, num_threads=2).fit(data["train"])

        def forever(act):
            while True:
                act()

        for act in (
            lambda: model.recommend(np.arange(300)),
            lambda: ek.evaluate(model, data["test_id"]),
            lambda: ek.synthetic(users=300, items=200, interactions=3000),
            lambda: ek.split(data["train"]),
        ):
            threading.Thread(target=forever, args=[act], daemon=True).start()
        time.sleep(0.3)
        print("bye")
        """
    )
    assert (code, out, err) == (0, "bye\n", "")


def test_exit_after_a_fit_is_quiet():
    code, out, err = run(
        """
        import evenkeel as ek
        ek.BCRecommender(dim=8, epochs=1).fit(ek.synthetic(users=60, items=80, interactions=200))
        """
    )
    assert (code, out, err) == (0, "", "")


def test_threads_that_the_system_refuses():
    code, out, err = run(
        """
        import resource
        import numpy as np
        import evenkeel as ek

        csr = ek.synthetic(users=300, items=200, interactions=3000)["train"]
        model = ek.BCRecommender(dim=8, epochs=1, num_threads=1).fit(csr)
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**30, used + 2**30))  # stacks need more
        try:
            model.set_params(num_threads=1024).recommend(np.arange(300))
        except ek.Error as error:
            print(error)
        model.set_params(num_threads=1).recommend(np.arange(300))
        """
    )
    assert code == 0, err
    assert "1024 threads cannot be started" in out and "give fewer" in out
