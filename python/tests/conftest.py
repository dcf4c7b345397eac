"""In: nothing. Out: small data and a trained model that the tests share."""

import os
import shutil

import numpy as np
import pytest
import scipy.sparse as sp

import evenkeel as ek

SMALL = dict(dim=16, epochs=6, negatives=8, num_threads=1)


@pytest.fixture(scope="session")
def market():
    return ek.synthetic(users=300, items=200, interactions=3000, random_state=3)


@pytest.fixture(scope="session")
def csr(market):
    return market["train"]


@pytest.fixture(scope="session")
def model(csr):
    return ek.BCRecommender(**SMALL).fit(csr)


@pytest.fixture(scope="session")
def pairs(csr):
    coo = csr.tocoo()
    return np.column_stack([coo.row, coo.col]).astype(np.int64)


@pytest.fixture(scope="session")
def program():
    """The command line, to compare with."""
    built = os.path.join(os.path.dirname(__file__), "..", "..", "build", "evenkeel")
    found = os.environ.get("EVENKEEL_BINARY") or (built if os.path.exists(built) else None)
    found = found or shutil.which("evenkeel")
    if not found:
        pytest.skip("the program build/evenkeel is not built; ./run build makes it")
    return found


def block_matrix(users=120, items=60, groups=3, seed=0):
    """Users like the items of their own block: easy to learn."""
    rng = np.random.default_rng(seed)
    dense = np.zeros((users, items), np.float32)
    block = items // groups
    for user in range(users):
        own = rng.choice(block, size=8, replace=False) + (user % groups) * block
        dense[user, own] = 1
    return sp.csr_matrix(dense)
