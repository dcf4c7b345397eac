"""Three searches: scikit-learn over folds, a sweep over one validation part, and --auto.

In: a synthetic market. Out: the settings that each of them chose.
"""

from pathlib import Path

from sklearn.model_selection import GridSearchCV

import evenkeel as ek

data = ek.synthetic(users=300, items=150, interactions=2000, random_state=1)
base = ek.Recommender(loss="bc", dim=16, epochs=5, random_state=1)

# %% scikit-learn: folds of interactions, every user's spread over them.
train = data["train"].tocoo()
pairs = list(zip(data.user_ids[train.row], data.item_ids[train.col]))
search = GridSearchCV(
    base, {"tau": [0.1, 0.2]}, scoring=ek.scorer(k=20, metric="ndcg"), cv=ek.InteractionKFold(3)
)
search.fit(pairs)
print("GridSearchCV:", search.best_params_, round(search.best_score_, 4))

# %% The validation part of a folder, one run per setting.
data.save(Path("market"))
(answer,) = ek.sweep(Path("market"), {"tau": [0.1, 0.2]}, Path("sweep"), model=base)
print("sweep:", answer["ranking"][0]["options"], answer["ranking"][0]["valid"]["recall@20"])

# %% Temperature, margin strength and learning rate by successive halving.
model = ek.auto(Path("market"), Path("run"), model=base, budget=3)
print("auto: tau", model.tau, "margin strength", model.margin_strength, "lr", model.lr)
