"""A real recorder as its container's health check sees it."""

import signal
import time
from pathlib import Path

from grader.alive import missed
from tests.app.school import School
from tests.app.test_recorder import recorder


def test_a_health_check_sees_that_a_recorder_hangs_or_has_lost_redis(fragile_school: School, tmp_path: Path):
    school = fragile_school

    def await_missing(*names: str) -> None:
        """Until just these signs of life are too old: three of them, where a health check waits for a minute."""
        deadline = time.monotonic() + 120
        while {line.partition(":")[0] for line in missed(tmp_path, ["queue", "sweeper"], 3.0)} != set(names):
            assert time.monotonic() < deadline, missed(tmp_path, ["queue", "sweeper"])
            time.sleep(0.05)

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
