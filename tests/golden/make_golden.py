"""Writes tests/golden/losses.json: every loss of docs/methods.md on a toy graph, in float64.

Derivatives come from the complex step, f'(x) = Im f(x + ih) / h with h = 1e-30, which has no
rounding error to speak of, so this file shares neither code nor method with the engine.
Plain Python, no packages:  python3 make_golden.py            writes losses.json beside itself
                            python3 make_golden.py --check F  recomputes the cases of another file
"""

import cmath
import json
import math
import pathlib
import random
import sys

STEP = 1e-30
HERE = pathlib.Path(__file__).parent


def real(x):
    return x.real if isinstance(x, complex) else x


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return cmath.sqrt(dot(a, a))


def cosine(a, b):
    return dot(a, b) / (norm(a) * norm(b))


def sigmoid(x):
    return 1 / (1 + cmath.exp(-x))


def softplus(x):
    return cmath.log(1 + cmath.exp(x))


def arccos(c):
    # d arccos = -1/sqrt(1 - c^2); cmath.acos is analytic off the real axis, but its branch for a
    # vanishing imaginary part is not kept to first order, so the step is done by hand.
    return complex(math.acos(real(c)), -complex(c).imag / math.sqrt(1 - real(c) ** 2))


def softmax_loss(positive, negatives, tau):
    top = max([real(positive)] + [real(n) for n in negatives])
    own = cmath.exp((positive - top) / tau)
    return cmath.log(own + sum(cmath.exp((n - top) / tau) for n in negatives)) - (positive - top) / tau


def widened(c, margin):
    theta = arccos(c)
    if margin > math.pi - real(theta):
        return complex(-1.0)
    return cmath.cos(theta + margin)


class Toy:
    """The graph, the batch and the formulas of docs/methods.md, sections 2 and 3."""

    def __init__(self, data):
        self.d = data
        self.owned = {u: set() for u in range(data["n_users"])}
        for u, i in data["train"]:
            self.owned[u].add(i)

    def encode(self, tables, encoder):
        users, items = tables["user"], tables["item"]
        if encoder == "mf":
            return users, items
        layers = self.d["parameters"]["lightgcn_layers"]
        user_degree = self.d["user_popularity"]
        item_degree = self.d["item_popularity"]
        total_u = [list(r) for r in users]
        total_i = [list(r) for r in items]
        for _ in range(layers):
            next_u = [[0.0] * len(users[0]) for _ in users]
            next_i = [[0.0] * len(items[0]) for _ in items]
            for u, i in self.d["train"]:
                w = 1 / math.sqrt(user_degree[u] * item_degree[i])
                for c in range(len(users[0])):
                    next_u[u][c] += w * items[i][c]
                    next_i[i][c] += w * users[u][c]
            users, items = next_u, next_i
            total_u = [[a + b for a, b in zip(x, y)] for x, y in zip(total_u, users)]
            total_i = [[a + b for a, b in zip(x, y)] for x, y in zip(total_i, items)]
        scale = 1 / (layers + 1)
        return ([[scale * a for a in r] for r in total_u], [[scale * a for a in r] for r in total_i])

    def in_batch_negatives(self, b):
        user = self.d["batch_users"][b]
        return [i for i in self.d["batch_items"] if i not in self.owned[user]]

    def margin(self, name, b):
        if name.startswith("bc_angle_lambda_"):
            return float(name.rsplit("_", 1)[1]) * self.d["margin_angle"][b]
        if name.startswith("bc_angle"):
            return self.d["margin_angle"][b]
        if name.startswith("bc_sigmoid"):
            return self.d["margin_sigmoid"][b]
        return float(name.split("_")[2])

    def loss(self, name, tables, encoder):
        if name == "popularity_extractor":
            return self.extractor(tables)
        u, v = self.encode(tables, encoder)
        return getattr(self, "case_" + name.split("_")[0])(name, tables, u, v, encoder)

    def batch(self):
        return list(enumerate(zip(self.d["batch_users"], self.d["batch_items"],
                                  self.d["batch_negatives"])))

    def mean(self, values):
        return sum(values) / len(values)

    def negatives_of(self, name, b, negatives):
        return self.in_batch_negatives(b) if name.endswith("in_batch") else negatives

    def case_softmax(self, name, tables, u, v, encoder):
        tau = self.d["parameters"]["tau"]
        return self.mean([softmax_loss(cosine(u[x], v[i]), [cosine(u[x], v[j]) for j in
                          self.negatives_of(name, b, n)], tau) for b, (x, i, n) in self.batch()])

    def case_bc(self, name, tables, u, v, encoder):
        tau = self.d["parameters"]["tau"]
        return self.mean([softmax_loss(widened(cosine(u[x], v[i]), self.margin(name, b)),
                          [cosine(u[x], v[j]) for j in self.negatives_of(name, b, n)], tau)
                          for b, (x, i, n) in self.batch()])

    def case_bpr(self, name, tables, u, v, encoder):
        return self.mean([softplus(dot(u[x], v[n[0]]) - dot(u[x], v[i]))
                          for _, (x, i, n) in self.batch()])

    def case_bce(self, name, tables, u, v, encoder):
        return self.mean([softplus(-dot(u[x], v[i])) + softplus(dot(u[x], v[n[0]]))
                          for _, (x, i, n) in self.batch()])

    def case_ccl(self, name, tables, u, v, encoder):
        p = self.d["parameters"]
        over = lambda c: c - p["ccl_margin"] if real(c) > p["ccl_margin"] else 0.0
        return self.mean([1 - cosine(u[x], v[i]) + p["ccl_weight"] *
                          self.mean([over(cosine(u[x], v[j])) for j in n])
                          for _, (x, i, n) in self.batch()])

    def case_ips(self, name, tables, u, v, encoder):
        w = self.d["ips_cn_item_weight"]
        return self.mean([w[i] * softplus(dot(u[x], v[n[0]]) - dot(u[x], v[i]))
                          for _, (x, i, n) in self.batch()])

    def case_sam(self, name, tables, u, v, encoder):
        r = self.d["parameters"]["sam_reg_weight"]
        top = max(self.d["item_popularity"])
        gaps = [dot(u[x], v[i]) - dot(u[x], v[n[0]]) for _, (x, i, n) in self.batch()]
        a = [sigmoid(g) for g in gaps]
        b = [self.d["item_popularity"][i] / top for i in self.d["batch_items"]]
        ma, mb = self.mean(a), self.mean(b)
        top = sum((x - ma) * (y - mb) for x, y in zip(a, b))
        bottom = cmath.sqrt(sum((x - ma) ** 2 for x in a)) * cmath.sqrt(sum((y - mb) ** 2 for y in b))
        corr = top / (bottom + 1e-5)
        return (1 - r) * self.mean([softplus(-g) for g in gaps]) + r * corr * corr

    def case_macr(self, name, tables, u, v, encoder):
        p = self.d["parameters"]
        total = []
        for _, (x, i, n) in self.batch():
            j = n[0]
            yu, yi, yj = dot(u[x], tables["w_user"]), dot(v[i], tables["w_item"]), dot(v[j], tables["w_item"])
            fi = dot(u[x], v[i]) * sigmoid(yi) * sigmoid(yu)
            fj = dot(u[x], v[j]) * sigmoid(yj) * sigmoid(yu)
            total.append(softplus(-fi) + softplus(fj)
                         + p["macr_alpha"] * (softplus(-yi) + softplus(yj))
                         + p["macr_beta"] * (softplus(-yu) + softplus(yu)))
        return self.mean(total)

    def case_cause(self, name, tables, u, v, encoder):
        control = tables["item_control"]  # a plain table, whatever the encoder, or
        if name == "cause_graph":  # the item's vector with the control row as its layer 0
            share = 1 / (self.d["parameters"]["lightgcn_layers"] + 1)
            control = [[a + share * (c - t) for a, c, t in zip(*rows)]
                       for rows in zip(v, control, tables["item"])]
        rows = lambda b: control if self.d["cause_is_control"][b] else v
        bpr = self.mean([softplus(dot(u[x], rows(b)[n[0]]) - dot(u[x], rows(b)[i]))
                         for b, (x, i, n) in self.batch()])
        square = 0
        for _, (x, i, n) in self.batch():
            for item in (i, n[0]):
                treated = [c / norm(v[item]) for c in v[item]]
                other = [c / norm(control[item]) for c in control[item]]
                square += sum((a - b) ** 2 for a, b in zip(treated, other))
        return bpr + self.d["parameters"]["cause_penalty"] * cmath.sqrt(square)

    def extractor(self, tables):
        tau = self.d["parameters"]["tau_extractor"]
        user = lambda x: tables["user_pop"][self.d["user_popularity_index"][x]]
        item = lambda i: tables["item_pop"][self.d["item_popularity_index"][i]]
        return self.mean([softmax_loss(cosine(user(x), item(i)), [cosine(user(x), item(j))
                          for j in n], tau) for _, (x, i, n) in self.batch()])


TRAINED = {"macr": ["user", "item", "w_user", "w_item"], "cause": ["user", "item", "item_control"],
           "cause_graph": ["user", "item", "item_control"],
           "popularity_extractor": ["user_pop", "item_pop"]}


def case(toy, name, encoder):
    tables = {k: [list(r) if isinstance(r, list) else r for r in t]
              for k, t in toy.d["tables"].items()}
    grads = {}
    for table in TRAINED.get(name, ["user", "item"]):
        rows = tables[table]
        flat = not isinstance(rows[0], list)
        holder = [rows] if flat else rows
        grads[table] = []
        for row in holder:
            line = []
            for c in range(len(row)):
                kept = row[c]
                row[c] = complex(kept, STEP)
                line.append(complex(toy.loss(name, tables, encoder)).imag / STEP)
                row[c] = kept
            grads[table].append(line)
        if flat:
            grads[table] = grads[table][0]
    return {"name": name, "encoder": encoder, "loss": real(toy.loss(name, tables, encoder)),
            "grad": grads}


def popularity_index(counts):
    values = sorted(set(counts))
    return [values.index(c) for c in counts], values


def make_toy(seed):
    rng = random.Random(seed)
    users, items, dim = 6, 9, 5
    train = sorted({(u, int(items * rng.random() ** 2)) for u in range(users) for _ in range(4)})
    user_pop = [sum(1 for x, _ in train if x == u) for u in range(users)]
    item_pop = [sum(1 for _, x in train if x == i) for i in range(items)]
    user_index, user_values = popularity_index(user_pop)
    item_index, item_values = popularity_index(item_pop)
    table = lambda rows: [[round(rng.gauss(0, 0.4), 6) for _ in range(dim)] for _ in range(rows)]
    tables = {"user": table(users), "item": table(items), "user_pop": table(len(user_values)),
              "item_pop": table(len(item_values)), "item_control": table(items),
              "w_user": table(1)[0], "w_item": table(1)[0]}
    picks = [train[rng.randrange(len(train))] for _ in range(5)]
    owned = {u: {i for x, i in train if x == u} for u in range(users)}
    free = lambda u: [i for i in range(items) if i not in owned[u]]
    negatives = [[rng.choice(free(u)) for _ in range(4)] for u, _ in picks]
    q = [(p + 1) / (max(item_pop) + 1) for p in item_pop]
    inverse = [1 / x for x in q]
    middle = sorted(inverse)[len(inverse) // 2]
    weights = [min(max(x, 1), middle) for x in inverse]
    pop = lambda u, i: (tables["user_pop"][user_index[u]], tables["item_pop"][item_index[i]])
    return {"about": "float64 reference values by make_golden.py; the mean over the batch, no L2",
            "n_users": users, "n_items": items, "dim": dim, "train": [list(t) for t in train],
            "user_popularity": user_pop, "item_popularity": item_pop,
            "user_popularity_index": user_index, "item_popularity_index": item_index,
            "user_popularity_values": user_values, "item_popularity_values": item_values,
            "batch_users": [u for u, _ in picks], "batch_items": [i for _, i in picks],
            "batch_negatives": negatives, "tables": tables,
            "parameters": {"tau": 0.12, "tau_extractor": 0.25, "ccl_weight": 3.0,
                           "ccl_margin": 0.05, "sam_reg_weight": 0.1, "macr_alpha": 0.01,
                           "macr_beta": 0.02, "cause_penalty": 0.1, "lightgcn_layers": 2},
            "ips_cn_item_weight": [w / max(weights) for w in weights],
            "cause_is_control": [b % 2 == 1 for b in range(5)],
            "margin_angle": [math.acos(real(cosine(*pop(u, i)))) for u, i in picks],
            "margin_sigmoid": [1 - real(sigmoid(dot(*pop(u, i)))) for u, i in picks]}


NAMES = ["softmax", "softmax_in_batch", "bc_angle", "bc_angle_lambda_0.5", "bc_sigmoid",
         "bc_constant_0.3", "bc_constant_3.0_capped", "bc_angle_in_batch", "bpr", "bce", "ccl",
         "ips_cn", "sam_reg", "macr", "cause"]


def check(path):
    data = json.loads(pathlib.Path(path).read_text())
    toy = Toy(data)
    for given in data["cases"]:
        own = case(toy, given["name"], given["encoder"])
        worst = abs(own["loss"] - given["loss"])
        for table, rows in given["grad"].items():
            flat = lambda t: [x for r in t for x in (r if isinstance(r, list) else [r])]
            worst = max([worst] + [abs(a - b) for a, b in zip(flat(own["grad"][table]), flat(rows))])
        print(f"{given['name']:24} {given['encoder']:9} largest difference {worst:.2e}")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        return check(sys.argv[2])
    data = make_toy(7)
    toy = Toy(data)
    data["cases"] = [case(toy, name, encoder) for encoder in ("mf", "lightgcn") for name in NAMES]
    data["cases"].append(case(toy, "popularity_extractor", "mf"))
    data["cases"].append(case(toy, "cause_graph", "lightgcn"))
    (HERE / "losses.json").write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
