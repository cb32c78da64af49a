"""Shared by all tests: the challenge, and one thread for torch (two cores are shared with servers)."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

from grader.challenge import Challenge, load_challenges
from tests.not_run import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown  # noqa: F401  hooks

# Submissions are data, whatever their names look like.
collect_ignore = ["submissions"]


@pytest.fixture(scope="session")
def mha_rope() -> Challenge:
    return load_challenges()["mha-rope"]
