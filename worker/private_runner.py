"""A runner of one's own, for `assay grade` and for tests: started as a child, and gone without a trace afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

from grader.guest.execution import SandboxUnavailable
from worker.runner_client import RunnerClient
from worker.runner_process import RunnerNotReadyError, RunnerProcess, runner_process


@contextmanager
def private_runner(sessions: int = 0, **settings: str) -> Iterator[RunnerClient]:
    """Starts in two or three seconds. `settings` are the runner's own, by name.

    Raises SandboxUnavailable, with the reason, when code cannot be confined here.
    """
    with runner_process(sessions, **settings) as process:
        yield client_of(process)


def client_of(process: RunnerProcess) -> RunnerClient:
    """Waits until it is ready. Raises SandboxUnavailable, with the reason, when code cannot be confined here."""
    try:
        process.await_ready()
    except RunnerNotReadyError as error:
        raise SandboxUnavailable(str(error)) from error
    return RunnerClient(process.socket)
