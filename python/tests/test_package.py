"""In: the installed distribution. Out: proof that its metadata is whole and its command works."""

import importlib.metadata
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

import evenkeel as ek

LOG = "user,item\n" + "".join(
    f"u{u},i{i}\n" for u in range(40) for i in range(30) if (u * i + i // 3 + u) % 7 > 3
)
OPTIONS = ["--epochs", "3", "--dim", "8", "--quiet"]
# The texts in licenses/ of what is compiled in, wherever it comes from.
COMPILED_IN = {"cli11", "hnswlib", "nanobind", "nlohmann-json", "random123", "report-page", "zstd"}
BUNDLED = {"libfmt": "fmt", "libhwy": "highway", "libtomlplusplus": "tomlplusplus"}


@pytest.fixture(scope="module")
def metadata():
    return importlib.metadata.metadata("evenkeel-cf")


@pytest.fixture(scope="module")
def command():
    """The command as the wheel installs it."""
    return os.path.join(os.path.dirname(sys.executable), "evenkeel")


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **more)


def test_metadata_is_whole(metadata):
    assert metadata["Version"] == ek.__version__
    assert metadata["License-Expression"].startswith("Apache-2.0 AND ")
    assert metadata["Requires-Python"] == ">=3.9"
    assert metadata["Summary"] and metadata["Author"] and metadata["Keywords"]
    assert metadata["Description-Content-Type"] == "text/markdown"
    urls = metadata.get_all("Project-URL")
    assert urls and all(re.fullmatch(r"\w+, https://\S+", url) for url in urls)
    classifiers = metadata.get_all("Classifier")
    assert "Typing :: Typed" in classifiers
    version = ".".join(map(str, sys.version_info[:2]))
    assert f"Programming Language :: Python :: {version}" in classifiers
    assert not any(entry.startswith("License ::") for entry in classifiers)  # the expression rules


def test_every_library_brings_its_licence(metadata):
    files = metadata.get_all("License-File")
    texts = {pathlib.PurePath(name).stem for name in files}
    assert "LICENSE" in texts
    libraries = os.listdir(os.path.join(os.path.dirname(ek.__file__), "lib"))
    assert libraries  # where the system has archives alone, this test must learn of it
    wanted = {BUNDLED[name.split(".so")[0].split("-")[0]] for name in libraries}
    assert wanted | COMPILED_IN <= texts
    installed = {str(file): file for file in importlib.metadata.files("evenkeel-cf")}
    for name in files:
        (path,) = (path for path in installed if path.endswith("licenses/" + name))
        assert len(installed[path].read_text()) > 100


def test_the_command_is_the_program(command, program, tmp_path):
    assert run(command, "--version").stdout == f"evenkeel {ek.__version__}\n"
    assert run(command, "list").stdout == run(program, "list").stdout
    (tmp_path / "log.csv").write_text(LOG)
    for words in (command, program):
        out = tmp_path / ("ours" if words == command else "built")
        done = run(words, "train", tmp_path / "log.csv", "--out", out, *OPTIONS)
        assert done.returncode == 0, done.stderr
    ours = (tmp_path / "ours" / "model.safetensors").read_bytes()
    assert ours == (tmp_path / "built" / "model.safetensors").read_bytes()


def test_the_command_ends_as_the_program_does(command, tmp_path):
    done = run(command, "train", tmp_path / "absent.csv", "--out", tmp_path / "run")
    assert done.returncode == 3
    assert "absent.csv" in done.stderr and done.stdout == ""
    assert run(command, "trian").returncode == 2
    pipe = f"'{command}' list | head -1; exit ${{PIPESTATUS[0]}}"
    assert run("bash", "-c", pipe).returncode == 0


def test_control_c_reaches_the_program(command, tmp_path):
    (tmp_path / "log.csv").write_text(LOG)
    words = [command, "train", "log.csv", "--out", "run", "--quiet", "--split", "none"]
    training = subprocess.Popen([*words, "--epochs", "1000000"], cwd=tmp_path)
    events, deadline = tmp_path / "run" / "events.jsonl", time.monotonic() + 60
    while not (events.exists() and events.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    training.send_signal(signal.SIGINT)
    assert training.wait(60) == 4
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()


def test_the_command_loads_no_numpy():
    code = "import sys, evenkeel_program; evenkeel_program.path(); print('numpy' in sys.modules)"
    assert run(sys.executable, "-c", code).stdout == "False\n"


def test_the_module_is_the_command():
    done = run(sys.executable, "-m", "evenkeel", "--version")
    assert done.stdout == f"evenkeel {ek.__version__}\n"


def test_the_command_reads_parquet(command, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    users = [line.split(",")[0] for line in LOG.split()[1:]]
    items = [line.split(",")[1] for line in LOG.split()[1:]]
    table = pa.table({"user": users, "item": items, "x": [[1]] * len(users)})  # no list in CSV
    parquet.write_table(table, tmp_path / "log.parquet")
    (tmp_path / "log.csv").write_text("user,item\n" + "\n".join(map(",".join, zip(users, items))))
    for name in ("log.parquet", "log.csv"):
        done = run(command, "train", tmp_path / name, "--out", tmp_path / name[4:], *OPTIONS)
        assert done.returncode == 0, done.stderr
    lists = [
        run(command, "recommend", tmp_path / run_, "--user", users[0], "--json").stdout
        for run_ in ("parquet", "csv")
    ]
    assert lists[0] == lists[1] != ""
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "log.parquet").read_bytes()[:-20])
    done = run(command, "stats", tmp_path / "cut.parquet")
    assert done.returncode == 3 and "cut.parquet" in done.stderr
    assert done.stderr.count("\n") == 1
