"""Real runners with real sandboxes, each started once for all tests of this folder."""

from collections.abc import Callable, Iterator

import pytest

from grader.guest.execution import Call, Execution, Executor
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from tests.not_run import NOT_RUN, note
from tests.worker import backends
from tests.worker.backends import Backend
from worker.runner_client import RunnerClient

PATH = "cs336_basics/layers.py"
Run = Callable[..., Execution]


@pytest.fixture(scope="session")
def runner() -> Iterator[RunnerClient]:
    """The default sandbox. A module that every sandbox must pass replaces this by `runner_of_backend`."""
    with backends.ZYGOTE.runner(sessions=4) as client:
        yield client


@pytest.fixture(scope="session", params=backends.ALL, ids=str)
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    note(request.config, f"sandbox {chosen.name}", NOT_RUN + (chosen.lacks() or "see the tests that failed"))
    chosen.require()
    return chosen


@pytest.fixture(scope="session")
def runner_of_backend(backend: Backend, request: pytest.FixtureRequest) -> Iterator[RunnerClient]:
    with backend.runner(sessions=4) as client:
        note(request.config, f"sandbox {backend.name}", client.description)
        yield client


@pytest.fixture(params=["in_process", "sandbox"])
def executor(request: pytest.FixtureRequest, runner: RunnerClient) -> Executor:
    return InProcess() if request.param == "in_process" else runner


@pytest.fixture
def run(runner: RunnerClient) -> Run:
    """Runs one source with some calls, by default none, under small limits."""

    def run_source(source: str, *calls: Call, **limits: float) -> Execution:
        submission = Submission(PATH, {PATH: source.encode()})
        return runner.run(submission, calls, Limits(**{"wall_s": 8.0, "cpu_s": 6.0, **limits}))

    return run_source


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        chosen = item.callspec.params.get("backend") if hasattr(item, "callspec") else None
        if isinstance(chosen, Backend) and (reason := chosen.postponed(item)):
            note(item.config, f"sandbox {chosen.name}", NOT_RUN + reason)
            item.add_marker(pytest.mark.skip(reason=reason))
