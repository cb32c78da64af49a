"""A student's file all the way, a CPU in the place of a card: real Redis, real sandbox, real workers and recorder."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from grader.challenge import load_challenges
from grader.exercise import exercise_of
from tests.app.conftest import api_settings, open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.app.test_recorder import recorder
from tests.patience import PATIENCE_S, wait_until
from tests.small_stage import CPU, challenges_with_small_stage
from worker.private_runner import private_runner
from worker.process_settings import Device
from worker.settings import WorkerSettings

WORKER = """
from pathlib import Path
from grader.guest.execution import Device
from worker.settings import WorkerSettings
from worker.tasks import run_worker
stand_in = {stand_in!r}
run_worker(WorkerSettings.model_validate_json({settings!r}), stand_in)
"""


@pytest.fixture
def small_school(database_url: str, redis: RedisProcess, tmp_path: Path) -> Iterator[School]:
    root = challenges_with_small_stage(tmp_path / "challenges")
    yield from open_school(api_settings(database_url, root, redis), redis)


@contextmanager
def worker(school: School, socket: Path, device: Device) -> Iterator[None]:
    """The real process; with a stand-in where it should have a card."""
    settings = WorkerSettings(
        redis_url=school.redis.url,
        runner_socket=socket,
        challenges_root=school.api_settings.challenges_root,
        name=device,
        device=device,
        concurrency=1,
    )
    stand_in = CPU if device is Device.CUDA else None
    script = WORKER.format(stand_in=stand_in, settings=settings.model_dump_json())
    process = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[2])
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


def test_the_verdict_comes_first_and_the_card_adds_its_part(small_school: School) -> None:
    school = small_school
    right = exercise_of(load_challenges()["mha-rope"]).baseline().source
    with ExitStack() as running:
        socket = running.enter_context(private_runner(imports_ahead="false"))._path
        running.enter_context(recorder(school))
        for device in Device:
            running.enter_context(worker(school, socket, device))
        wait_until(lambda: school.broker.judges() == 1 and school.broker.gpu_judges() == 1)
        sent = school.submit("ada", right)
        events = [(event.event, event.data) for event in school.watch(sent["id"], until="gpu")]
    told = [data["state"] for name, data in events if name == "gpu"]
    assert told == ["waiting", "running", "done"]
    names = [name for name, _ in events]
    assert names.index("verdict") < names.index("gpu")
    found: dict[str, Any] = school.client("ada").get(f"/submissions/{sent['id']}").json()
    assert (found["state"], found["verdict"]) == ("graded", "passed")
    report = found["gpu"]["report"]
    assert (report["device"], report["size"]) == (CPU.name, "batch 32, sequence 64, d_model 64, 4 heads, float32")
    assert {tests["dtype"]: tests["passed"] == tests["total"] for tests in report["tests"]} == {
        "float32": True,
        "bfloat16": True,
    }
    assert 0.4 < report["memory_ratio"] < 2.5
