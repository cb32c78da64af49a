"""Real runners with real sandboxes, each started once for all tests of this folder."""

from collections.abc import Callable, Iterator

import pytest

from grader.execution import Call, Execution
from grader.limits import Limits
from grader.submission import Submission
from tests.worker import backends
from tests.worker.backends import Backend
from worker.runner_client import RunnerClient

PATH = "cs336_basics/layers.py"
Run = Callable[..., Execution]
_RAN_ON = pytest.StashKey[dict[str, str]]()


@pytest.fixture(scope="session")
def runner() -> Iterator[RunnerClient]:
    """The default sandbox. A module that every sandbox must pass replaces this by `runner_of_backend`."""
    with backends.ZYGOTE.runner(sessions=4) as client:
        yield client


@pytest.fixture(scope="session", params=backends.ALL, ids=str)
def backend(request: pytest.FixtureRequest) -> Backend:
    ran_on = request.config.stash.setdefault(_RAN_ON, {})
    chosen: Backend = request.param
    ran_on[chosen.name] = "NOT RUN"
    chosen.require()
    return chosen


@pytest.fixture(scope="session")
def runner_of_backend(backend: Backend, request: pytest.FixtureRequest) -> Iterator[RunnerClient]:
    with backend.runner(sessions=4) as client:
        request.config.stash[_RAN_ON][backend.name] = client.description
        yield client


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
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """On which sandboxes the conformance suite ran: what was missing shall not be overlooked."""
    for name, description in config.stash.get(_RAN_ON, {}).items():
        reason = backends.missing(next(one.runtime for one in backends.ALL if one.name == name))
        told = f"NOT RUN: {reason}" if description == "NOT RUN" else description
        terminalreporter.write_line(f"sandbox {name}: {told}", yellow=description == "NOT RUN")
