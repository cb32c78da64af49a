"""A real runner with real sandboxes, started once for all tests of this folder."""

from collections.abc import Callable, Iterator

import pytest

from grader.execution import Call, Execution
from grader.limits import Limits
from grader.submission import Submission
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

PATH = "cs336_basics/layers.py"
Run = Callable[..., Execution]


@pytest.fixture(scope="session")
def runner() -> Iterator[RunnerClient]:
    with private_runner(sessions=4) as client:
        yield client


@pytest.fixture
def run(runner: RunnerClient) -> Run:
    """Runs one source with some calls, by default none, under small limits."""

    def run_source(source: str, *calls: Call, **limits: float) -> Execution:
        submission = Submission(PATH, {PATH: source.encode()})
        return runner.run(submission, calls, Limits(**{"wall_s": 8.0, "cpu_s": 6.0, **limits}))

    return run_source
