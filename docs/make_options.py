"""Writes docs/options.md from the help texts of the program.

In: a built evenkeel. Out: docs/options.md; with --check nothing is written, and the exit code says
whether the page is the one that this program gives.

    python3 docs/make_options.py build/evenkeel [--check]
"""

import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).with_name("options.md")
COMMANDS = ["train", "synth", "stats", "split", "prepare", "sweep", "experiment", "extend",
            "evaluate", "recommend", "similar", "find", "serve", "export", "analyze", "compare", "report", "demo"]
HEAD = """# Options

Written by `python3 docs/make_options.py build/evenkeel` from the program's own help; do not edit.
`evenkeel COMMAND --help` prints the same, `evenkeel list` adds every method with its reference.

- Options of `train` are also keys of a `--config FILE.toml`; the command line wins. The run's `config.toml` holds them all,
  resolved, so it is itself a valid `--config`.
- In an experiment file they are the keys of `options` and `search` ([experiments.md](experiments.md)).
- In Python they are parameters with `_` for `-` ([python.md](python.md)).
- "The paper" is [Zhang et al., NeurIPS 2022](https://arxiv.org/abs/2210.11054); [methods.md](methods.md) has the formulas.
"""


def output(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def parse(text):
    """The options of a help text: (name, form and default, help), by the title of their group."""
    groups, title, entry = {}, "", None
    for line in text.splitlines():
        # The help begins in column 34; an option that fills its column has one space before it.
        option = re.match(r"  (-.{29}\S) (\S.*)$", line) or re.match(
            r"  (-\S.*?)(?:\s{2,}(\S.*))?$", line)
        if option:
            words, _, form = option[1].partition(" ")
            entry = [words, form, option[2] or ""]
            groups.setdefault(title, []).append(entry)
        elif entry and re.match(r" {20,}\S", line):
            entry[2] = f"{entry[2]} {line.strip()}".strip()
        else:
            entry = None
            if re.match(r"\S.*:$", line):
                title = line.rstrip(":")
    return groups


def table(options):
    lines = ["| option | default | what it is |", "|---|---|---|"]
    for names, form, text in options:
        if names.startswith("-h,"):
            continue
        form = re.sub(r"\s*Excludes:.*", "", form)
        value, _, default = form.partition("=")
        name = f"{names} {value}".strip().replace("|", "\\|")
        default = f"`{default}`" if default else ""
        if name.endswith(" REQUIRED"):
            name, default = name.removesuffix(" REQUIRED"), "required"
        lines.append(f"| `{name}` | {default} | {text.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def method_options(program):
    """Which methods know an option: its name -> 'loss bc, softmax'."""
    owners = {}
    listed = json.loads(output(program, "list", "--json"))
    for kind, label in (("encoders", "encoder"), ("losses", "loss"), ("optimizers", "optimizer")):
        for method in listed[kind]:
            for option in method.get("options", []):
                owners.setdefault(option["name"], (label, []))[1].append(method["name"])
    return {name: f"{label} {', '.join(methods)}" for name, (label, methods) in owners.items()}


def page(program):
    parts = [HEAD]
    owners = method_options(program)
    for command in COMMANDS:
        text = output(program, command, "--help")
        usage = re.search(r"^Usage: (.*)$", text, re.M)[1]
        parts.append(f"\n## {command}\n\n{text.splitlines()[0]}.\n\n`{usage}`\n")
        for title, options in parse(text).items():
            if title.startswith("Settings") and command == "train":
                for option in options:
                    owner = owners.get(option[0].lstrip("-"))
                    option[2] += f" [{owner}]" if owner else ""
            elif title.startswith("Settings") and command == "sweep":
                parts.append("\nSettings of every run: those of `evenkeel train`.\n")
                continue
            if any(not option[0].startswith("-h,") for option in options):
                parts.append("\n" + table(options))
    return "".join(parts)


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    text = page(arguments[0])
    if "--check" not in sys.argv:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        sys.exit(f"{PAGE} is not what this program gives; run {sys.argv[0]} {arguments[0]}")


if __name__ == "__main__":
    main()
