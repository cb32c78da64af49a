"""Signs of life: files, and the look at them that health checks take."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.alive import LIMIT_S, Heartbeat, missed

ROOT = Path(__file__).parents[2]


def look(folder: Path, *names: str) -> "subprocess.CompletedProcess[str]":
    """As a container's health check does."""
    command = [sys.executable, "-m", "grader.alive", str(folder), *names]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def age(folder: Path, name: str, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(folder / name, (then, then))


def test_every_sign_must_have_been_given_lately(tmp_path: Path) -> None:
    folder = tmp_path / "alive"
    heartbeats = [Heartbeat(folder, name) for name in ("queue", "judge")]
    assert missed(folder, ["queue", "judge"]) == ["queue: no heartbeat yet", "judge: no heartbeat yet"]
    for heartbeat in heartbeats:
        heartbeat.beat()
    assert missed(folder, ["queue", "judge"]) == []
    age(folder, "judge", LIMIT_S + 15)
    assert missed(folder, ["queue", "judge"]) == ["judge: the last heartbeat was 75 s ago; the limit is 60 s"]
    heartbeats[1].beat()
    assert missed(folder, ["queue", "judge"]) == []


def test_the_health_check_ends_with_1_and_a_line_for_each_that_is_missed(tmp_path: Path) -> None:
    for name in ("queue", "sweeper"):
        Heartbeat(tmp_path, name).beat()
    well = look(tmp_path, "queue", "sweeper")
    assert (well.returncode, well.stdout, well.stderr) == (0, "alive\n", "")
    age(tmp_path, "sweeper", LIMIT_S + 15)
    ill = look(tmp_path, "queue", "sweeper", "runner")
    assert (ill.returncode, ill.stderr) == (1, "")
    assert [line.partition(":")[0] for line in ill.stdout.splitlines()] == ["sweeper", "runner"]


def test_a_sign_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    Heartbeat(tmp_path / "file" / "folder", "queue").beat()
    Heartbeat(None, "queue").beat()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("arguments", [(), ("/nowhere", "queue")])
def test_who_asks_wrongly_is_not_told_that_all_is_well(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "grader.alive", *arguments]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 1
