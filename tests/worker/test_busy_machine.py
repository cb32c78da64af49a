"""Time is given back for which no processor was free: a busy machine makes nobody's code too slow."""

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

from grader.guest.execution import Call, Ending, Execution
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from tests.processes import descendants
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.sandbox.jobs import run_job
from worker.sandbox.process_child import ProcessChild
from worker.sandbox.supervisor import Session
from worker.sandbox.zygote_client import Zygote, standard_options

PATH = "layers.py"
CALL = Call("one", "f", {"x": torch.ones(3)})
LIMITS = Limits(wall_s=1.0, cpu_s=20.0)
NEIGHBOURS = 4
WORKS = "import time\ndef f(x):\n    while time.process_time() < 0.8: pass\n    return x\n"
SLEEPS = "import time\ndef f(x):\n    time.sleep(60)\n"
SPINS = "def f(x):\n    while True: pass\n"


@contextmanager
def busy(processor: int) -> Iterator[None]:
    """Each in a session of its own: Linux may share a processor out by session."""
    spin = f"import os; os.sched_setaffinity(0, {{{processor}}})\nwhile True: pass"
    neighbours = [subprocess.Popen([sys.executable, "-c", spin], start_new_session=True) for _ in range(NEIGHBOURS)]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


@pytest.fixture(scope="module")
def crowded() -> Iterator[RunnerClient]:
    """A runner with a fifth of one processor."""
    before = os.sched_getaffinity(0)
    processor = min(before)
    with private_runner(sessions=1, imports_ahead="false") as runner:
        for child in descendants(os.getpid()):
            os.sched_setaffinity(child, {processor})
        with busy(processor):
            yield runner


def run(runner: RunnerClient, source: str) -> tuple[Execution, float]:
    started = time.monotonic()
    execution = runner.run(Submission(PATH, {PATH: source.encode()}), [CALL], LIMITS)
    return execution, time.monotonic() - started


def test_it_took_what_it_used_however_long_it_starved_beside_the_time_that_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where it works ahead, and starves, while its runner is busy with answers that it has. Before the others: here
    no neighbours are needed.
    """
    waited_s = itertools.chain([0.0], itertools.repeat(30.0))
    monkeypatch.setattr(ProcessChild, "starved_s", lambda _child: next(waited_s))
    zygote = Zygote.start(standard_options(imports_ahead=False))
    try:
        session = Session(zygote.spawn(Limits()))
        session.await_ready()
        source = b"import time\nwhile time.process_time() < 0.3: pass"
        session.exchange(run_job(Submission(PATH, {PATH: source})).encode())
        assert session.end().wall_s > 0.2
    finally:
        zygote.stop()


def test_who_waits_for_a_processor_is_not_too_slow(crowded: RunnerClient) -> None:
    execution, elapsed_s = run(crowded, WORKS)
    assert execution.ending is Ending.COMPLETED, execution.detail
    assert elapsed_s > LIMITS.wall_s  # or nobody was in its way, and nothing was tried
    assert execution.wall_s == pytest.approx(0.8, abs=0.3)  # what it took is told as on a quiet machine


@pytest.mark.parametrize("source", [SLEEPS, SPINS])
def test_who_uses_up_the_time_is(crowded: RunnerClient, source: str) -> None:
    execution, elapsed_s = run(crowded, source)
    assert execution.ending is Ending.OUT_OF_TIME
    assert elapsed_s < 60
