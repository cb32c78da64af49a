"""A real judge with its runner and Redis, as its container's health check sees it: well while it is busy, and not when
something of it hangs.
"""

import base64
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from celery import Celery

from grader.alive import missed
from grader.challenge import DEFAULT_ROOT
from grader.messages import GRADE_CPU_QUEUE, JOB_TASK, RECORD_QUEUE, lease_key
from tests.app.redis_process import RedisProcess, running_redis
from tests.patience import PATIENCE_S, wait_until
from worker.private_runner import private_runner

HANGS_S = 3.0  # three heartbeats are missed: for a test that need not wait a minute
LINE = 30
SLOW = b"import time\ntime.sleep(1)\ndef rmsnorm(x, weight, eps=1e-5):\n    return x\n"


@dataclass
class Judge:
    """`assay worker` with one judge process, and what it needs."""

    process: "subprocess.Popen[bytes]"
    runner_pid: int
    redis: RedisProcess
    alive: Path

    @property
    def child_pid(self) -> int:
        """The process that grades."""
        pid = self.process.pid
        (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return int(child)

    @property
    def is_waiting(self) -> bool:
        """Whether the process that grades has nothing to do: the next job will come through a pipe."""
        return "pipe_read" in Path(f"/proc/{self.child_pid}/wchan").read_text()

    def send(self, name: str) -> None:
        with Celery(broker=self.redis.url, set_as_current=False) as celery:
            celery.send_task(JOB_TASK, kwargs={"request": request(name)}, queue=GRADE_CPU_QUEUE)

    def await_missing(self, *names: str, of: Sequence[str] = ("queue", "judge", "runner")) -> None:
        """Until just these heartbeats are too old."""
        wait_until(lambda: self._missing(of) == set(names), lambda: f"missing: {self._missing(of)}, not {names}")

    def _missing(self, of: Sequence[str]) -> set[str]:
        return {line.partition(":")[0] for line in missed(self.alive, of, HANGS_S)}


def request(name: str) -> dict[str, object]:
    """One that takes a second and more."""
    files = {"layers.py": base64.b64encode(SLOW).decode()}
    challenge = {"challenge": "rmsnorm", "main": "layers.py", "seed": 3}
    return {"job": name, "kind": "submission", "submission_id": name, "files": files, "queued_at": 0.0, **challenge}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    folder = tmp_path_factory.mktemp("judge")
    shutil.copytree(DEFAULT_ROOT / "rmsnorm", folder / "challenges" / "rmsnorm")
    with (
        running_redis(folder) as redis,
        private_runner(alive_folder=str(folder / "alive"), imports_ahead="false") as client,
    ):
        settings = {
            "REDIS_URL": redis.url,
            "RUNNER_SOCKET": str(client._path),
            "CHALLENGES_ROOT": str(folder / "challenges"),
            "CONCURRENCY": "1",
            "ALIVE_FOLDER": str(folder / "alive"),
        }
        told = {**os.environ, **{f"ASSAY_WORKER_{name}": value for name, value in settings.items()}}
        process = subprocess.Popen([sys.executable, "-m", "assay", "worker"], env=told, stderr=subprocess.DEVNULL)
        try:
            yield Judge(process, _runner_of(client._path), redis, folder / "alive")
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_S)


def _runner_of(socket: Path) -> int:
    told = f"ASSAY_RUNNER_SOCKET={socket}".encode()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    (pid,) = [int(pid) for pid in children if told in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")]
    return pid


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """It hangs: it is there, and does nothing."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_it_is_well_once_it_can_grade(judge: Judge) -> None:
    judge.await_missing()
    judge.await_missing(of=["sandbox"])


def test_it_is_well_while_it_is_busy(judge: Judge) -> None:
    """Every heartbeat goes on while it has more to do than it can."""
    judge.await_missing()
    for number in range(LINE):
        judge.send(f"busy-{number}")
    with judge.redis.client() as client:
        wait_until(lambda: client.get(lease_key("busy-0")) not in (None, "held"))
        heartbeats = [judge.alive / name for name in ("queue", "judge", "runner", "sandbox")]
        began = time.time()
        wait_until(lambda: all(heartbeat.stat().st_mtime > began + 1 for heartbeat in heartbeats))
        assert client.llen(GRADE_CPU_QUEUE) > 0
        client.delete(GRADE_CPU_QUEUE)
        wait_until(lambda: not any(client.exists(lease_key(f"busy-{number}")) for number in range(LINE)))


def test_a_judge_whose_loop_hangs_is_not_well(judge: Judge) -> None:
    judge.await_missing()
    with stopped(judge.process.pid):
        judge.await_missing("queue", "runner")
    judge.await_missing()


def test_a_judge_whose_process_hangs_is_not_well(judge: Judge) -> None:
    judge.await_missing()
    with stopped(judge.child_pid):
        judge.await_missing("judge")
    judge.await_missing()


def test_a_runner_that_hangs_is_missed_by_its_own_check_and_by_its_judge(judge: Judge) -> None:
    judge.await_missing()
    with stopped(judge.runner_pid):
        judge.await_missing("runner")
        judge.await_missing("sandbox", of=["sandbox"])
    judge.await_missing()
    judge.await_missing(of=["sandbox"])


def test_a_judge_that_has_lost_redis_is_not_well_until_it_is_back(judge: Judge) -> None:
    judge.await_missing()
    judge.redis.kill()
    judge.await_missing("queue", "judge", "runner")
    judge.redis.start()
    judge.await_missing()


def test_a_judge_that_loses_redis_while_it_works_takes_the_next_job_all_the_same(judge: Judge) -> None:
    """It can neither send its report nor acknowledge the job; what was lost, the sweeper sends again."""
    judge.await_missing()
    with judge.redis.client() as client:
        judge.send("before")
        wait_until(lambda: client.get(lease_key("before")) not in (None, "held"))
    judge.redis.kill()
    wait_until(lambda: judge.is_waiting)
    judge.redis.start()
    judge.await_missing()
    with judge.redis.client() as client:
        judge.send("after")
        wait_until(lambda: client.llen(RECORD_QUEUE) >= 2)  # begun, and graded
