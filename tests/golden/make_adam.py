"""Writes tests/golden/adam.json: three dense Adam steps on the softmax case of losses.json.

In: losses.json and the formulas of make_golden.py (derivatives by the complex step), in float64.
Out: {"losses": before each step, "user", "item": the tables after the last}.

    python3 make_adam.py            writes adam.json beside itself
    python3 make_adam.py --check L A   recomputes A from the losses L, prints the largest difference
"""

import json
import math
import pathlib
import sys

from make_golden import HERE, Toy, case

RATE, BETA1, BETA2, EPSILON, STEPS = 0.01, 0.9, 0.999, 1e-8, 3


def moved(rows, gradients, moments, step):
    for r, row in enumerate(rows):
        for c in range(len(row)):
            m, v = moments.get((r, c), (0.0, 0.0))
            g = gradients[r][c]
            m, v = BETA1 * m + (1 - BETA1) * g, BETA2 * v + (1 - BETA2) * g * g
            moments[r, c] = (m, v)
            row[c] -= RATE * (m / (1 - BETA1**step)) / (math.sqrt(v / (1 - BETA2**step)) + EPSILON)


def trajectory(data):
    toy = Toy(data)
    moments = {"user": {}, "item": {}}
    losses = []
    for step in range(1, STEPS + 1):
        now = case(toy, "softmax", "mf")
        losses.append(now["loss"])
        for table in moments:
            moved(data["tables"][table], now["grad"][table], moments[table], step)
    return {"about": "three dense Adam steps (lr 0.01, betas 0.9/0.999, eps 1e-8) on softmax/mf",
            "losses": losses, "user": data["tables"]["user"], "item": data["tables"]["item"]}


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--check":
        own = trajectory(json.loads(pathlib.Path(sys.argv[2]).read_text()))
        given = json.loads(pathlib.Path(sys.argv[3]).read_text())
        flat = lambda t: t["losses"] + [x for k in ("user", "item") for r in t[k] for x in r]
        print(f"largest difference {max(abs(a - b) for a, b in zip(flat(own), flat(given))):.2e}")
        return
    made = trajectory(json.loads((HERE / "losses.json").read_text()))
    (HERE / "adam.json").write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
