"""Lists for people: those of the log, newcomers, and why.

In: a synthetic market. Out: lists and reasons on the terminal, model.safetensors.
"""

from pathlib import Path

import evenkeel as ek

# %% A data set with validation and tests, and a model with a dial against popularity bias.
data = ek.synthetic(users=600, items=300, interactions=8000, random_state=1)
model = ek.Recommender(loss="bc", dim=32, epochs=20, random_state=1)
model.set_params(tau=0.12, num_threads=2)
model.fit(data)
print(model)
print("best epoch", model.best_epoch_, "of", len(model.history_))

# %% Somebody of the log.
user = str(data.user_ids[0])
ids, scores = model.recommend(user, N=3)
print(f"\n{user}:", ", ".join(f"{i} ({s:.2f})" for i, s in zip(ids, scores)))
ids, _ = model.recommend(user, N=3, debias=0.5)
print("with half of the popularity taken out:", ", ".join(ids))

# %% Why: what the score loses without each of the user's own items.
reason = model.explain(user, ids[0], N=3)
for own, part in zip(reason.ids, reason.contributions):
    print(f"  {ids[0]} because of {own} ({part:+.3f})")

# %% Somebody who came a minute ago: a history instead of an id; ids that left the shop are skipped.
history = [*data.item_ids[:3].tolist(), "sold-out"]
newcomer, _ = model.recommend(history=history, N=3, skip_unknown=True)
print("\nnewcomer:", ", ".join(newcomer))

# %% The order of a shelf, people alike, and the model as a file.
shelf, _ = model.rank_items(user, data.item_ids[:5])
alike, _ = model.similar_users(user, N=3, filter_users=[user])
print("shelf:", ", ".join(shelf), "\nalike:", ", ".join(alike))
model.save(Path("model.safetensors"))
again = ek.Recommender.load(Path("model.safetensors"))
assert again.recommend(user)[0].tolist() == model.recommend(user)[0].tolist()
