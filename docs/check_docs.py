"""Checks the pages without building anything.

In: README.md, the other pages of the root and docs/. Out: exit 0, or a line for each defect: a
link to a file or heading that is not there, a page over its word limit, a page that says "the
paper" and does not name it.

    python3 docs/check_docs.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {"README.md": 700, "docs/performance.md": 1200}
PAPER = ("2210.11054", "Bias-aware Margins")


def prose(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(page):
    """The anchors that GitHub gives to the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page.read_text()), re.M):
        text = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(text.strip().replace(" ", "-"))
    return found


def broken_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists():
            yield f"links to {target}, which is not there"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"links to {target}, but {file.name} has no such heading"


def defects(page):
    name = str(page.relative_to(ROOT))
    text = page.read_text()
    yield from broken_links(page)
    limit = LIMITS.get(name)
    if limit and len(text.split()) >= limit:
        yield f"has {len(text.split())} words; it should stay under {limit}"
    # results.md is generated; the program writes its first lines.
    generated = name == "docs/results.md"
    if re.search(r"\b[Tt]he paper\b", text) and not generated and not any(w in text for w in PAPER):
        yield 'says "the paper" without naming it'


def main():
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob(".github/**/*.md")])
    count = 0
    for page in pages:
        for defect in defects(page):
            print(f"{page.relative_to(ROOT)}: {defect}")
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
