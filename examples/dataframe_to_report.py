"""From a DataFrame to figures that show what popularity bias does to a catalogue.

In: a table of interactions (here: a synthetic market). Out: figures on the terminal, two run
folders and report.html, one page about both.
"""

# %% A table, as it may come from a database: one interaction per row, ids of any kind.
import pandas as pd

import evenkeel as ek

market = ek.synthetic(users=600, items=300, interactions=8000, random_state=1)
pairs = market["train"].tocoo()
frame = pd.DataFrame({"user": market.user_ids[pairs.row], "item": market.item_ids[pairs.col]})
print(frame.head(3), "\n")

# %% Cut it so that one test is as uniform over items as the data allows.
data = ek.split(frame, "balanced", random_state=1, out="split")
for name, part in ek.stats(data)["parts"].items():
    print(f"{name:10} {part['interactions']:6} interactions, D_KL {part['dkl']:.3f}")

# %% Train the BC loss beside the plain softmax.
models = {}
for loss in ("bc", "softmax"):
    models[loss] = ek.BCRecommender(loss=loss, dim=32, epochs=30, random_state=1)
    models[loss].fit("split", out=f"runs/{loss}", overwrite=True)

# %% Compare: the usual test, the balanced one, and the tail of the catalogue alone.
rows = {}
for loss, model in models.items():
    figures = ek.evaluate(model, data)
    tail = figures["test_ood"]["groups"]["items"]["tail"]
    rows[loss] = {
        "recall@20, usual test": figures["test_id"]["recall@20"],
        "recall@20, balanced test": figures["test_ood"]["recall@20"],
        "recall@20, its tail items": tail["recall@20"],
        "coverage@20": figures["test_id"]["coverage@20"],
    }
print("\n", pd.DataFrame(rows).round(4), sep="")

# %% One page about both runs.
ek.report(["runs/bc", "runs/softmax"], "report.html")

# %% Use it.
user = data.user_ids[0]
ids, scores = models["bc"].recommend(user, N=5)
print(f"\nfor {user}:", ", ".join(f"{i} ({s:.2f})" for i, s in zip(ids, scores)))
