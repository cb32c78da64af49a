"""Shared by all tests: the challenge, and one thread for torch (two cores are shared with servers)."""

import gc
import os
import signal

# A shell's background job ignores Ctrl-C, and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

from grader.challenge import Challenge
from tests.browser import chromium  # noqa: F401  a fixture
from tests.chosen import (  # noqa: F401  hooks
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_ignore_collect,
)
from tests.in_memory import keep_files_in_memory
from tests.installed import installed
from tests.not_run import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown  # noqa: F401  hooks

keep_files_in_memory()

# Submissions are data, whatever their names look like.
collect_ignore = ["submissions", "repositories"]


def pytest_collection_finish() -> None:
    """What is imported by now stays: to look through it for garbage again and again would be a tenth of all work."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def mha_rope() -> Challenge:
    return installed()["mha-rope"]
