"""A real recorder in trouble: how its container's health check sees it, and that it goes on."""

import os
import signal
from pathlib import Path

from grader.alive import missed
from tests.app.school import School
from tests.app.test_recorder import recorder
from tests.patience import wait_until


def test_a_health_check_sees_that_a_recorder_hangs_or_has_lost_redis(fragile_school: School, tmp_path: Path):
    school = fragile_school

    def await_missing(*names: str) -> None:
        """Until just these heartbeats are too old: three of them, where a health check waits for a minute."""
        wait_until(
            lambda: {line.partition(":")[0] for line in missed(tmp_path, ["queue", "sweeper"], 3.0)} == set(names),
            lambda: str(missed(tmp_path, ["queue", "sweeper"])),
        )

    with recorder(school, recorder_alive_folder=tmp_path) as process:
        await_missing()
        process.send_signal(signal.SIGSTOP)
        await_missing("queue", "sweeper")
        process.send_signal(signal.SIGCONT)
        await_missing()
        school.redis.kill()
        await_missing("queue")
        school.redis.start()
        await_missing()


def test_a_recorder_whose_log_lies_on_a_full_disk_goes_on_sweeping(fragile_school: School, tmp_path: Path):
    """The sweeper's thread used to end with the first line that it could not write."""
    school = fragile_school
    full = os.open("/dev/full", os.O_WRONLY)
    with recorder(school, stderr=full, recorder_alive_folder=tmp_path):
        os.close(full)
        _await_heartbeat(tmp_path, "sweeper")
        school.redis.kill()
        for _ in range(2):  # the second comes after a whole turn, which found that Redis is away and said so
            (tmp_path / "sweeper").unlink()
            _await_heartbeat(tmp_path, "sweeper")


def _await_heartbeat(folder: Path, name: str) -> None:
    wait_until((folder / name).exists, lambda: f"no {name}")
