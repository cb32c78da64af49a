"""A runner, started once for all tests of this folder."""

from collections.abc import Iterator

import pytest

from worker.private_runner import private_runner
from worker.runner_client import RunnerClient


@pytest.fixture(scope="session")
def runner() -> Iterator[RunnerClient]:
    with private_runner(sessions=2, imports_ahead="false") as client:
        yield client
