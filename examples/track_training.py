"""Watching a training: the callback sees the figures and the model as it stands.

In: a synthetic market. Out: the tail's share of the lists after every second epoch; a run folder.
"""

from pathlib import Path
from typing import Any

import numpy as np

import evenkeel as ek

data = ek.synthetic(users=600, items=300, interactions=8000, random_state=1)
popularity = np.asarray(data["train"].sum(axis=0)).ravel()
tail = set(data.item_ids[np.argsort(popularity)[: len(popularity) // 2]])


def watch(epoch: int, info: dict[str, Any], model: ek.Recommender) -> bool:
    """Also the place for mlflow.log_metric, wandb.log or SummaryWriter.add_scalar."""
    if epoch % 2 == 0:
        lists, _ = model.recommend(data.user_ids[:200], N=20)
        share = np.mean([item in tail for row in lists for item in row])
        print(f"epoch {epoch:2}  loss {info['loss']:.3f}  less popular half {share:.1%} of lists")
    return epoch >= 10  # True stops; the best epoch so far is the model


run = Path("runs") / "watched"
model = ek.Recommender(loss="bc", dim=32, random_state=1)
model.fit(data, out=run, overwrite=True, callback=watch)
figures: dict[str, Any] = ek.evaluate(model)
print("balanced test, recall@20:", round(figures["test_ood"]["recall@20"], 4))
