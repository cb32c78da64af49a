"""The supervisor over real processes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from assay.supervisor import FIRST_PAUSE_S
from tests.patience import PATIENCE_S, wait_until
from tests.processes import is_running

SUPERVISE = """
import json, sys
from pathlib import Path
from assay.supervisor import Role, Supervisor

folder = Path(sys.argv[1])
roles = json.loads(sys.argv[2])
patience_s = float(sys.argv[3])
with Supervisor(lambda line: print(line, flush=True)) as supervisor:
    for name, code in roles.items():
        command, log = (sys.executable, "-c", code), folder / f"{name}.log"
        supervisor.start(Role(name, command, {"FOLDER": str(folder)}, log, patience_s))
    print("started", flush=True)
    while not supervisor.wait(0.05):
        (folder / "pids").write_text(json.dumps(supervisor.pids()))
"""
SLEEP = "import time; time.sleep(600)"
STUBBORN = """
import os, pathlib, signal, time
signal.signal(signal.SIGTERM, lambda *_: pathlib.Path(os.environ["FOLDER"], "asked").touch())
pathlib.Path(os.environ["FOLDER"], "ready").touch()
while True: time.sleep(600)
"""
WITH_GRANDCHILD = """
import os, pathlib, subprocess, sys, time
code = "import time; time.sleep(600)"
held = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
pathlib.Path(os.environ["FOLDER"], "grandchild").write_text(str(held.pid))
time.sleep(600)
"""
NOTES_ITS_START = """
import os, pathlib, time
with pathlib.Path(os.environ["FOLDER"], "starts").open("a") as starts: print(time.monotonic(), file=starts)
"""


@contextmanager
def supervised(folder: Path, patience_s: float = 2.0, **roles: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-c", SUPERVISE, str(folder), json.dumps(roles), str(patience_s)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        wait_until(lambda: (folder / "pids").exists() and pids(folder).keys() == roles.keys())
        yield process
    finally:
        process.kill()
        process.communicate()


def pids(folder: Path) -> dict[str, int]:
    try:
        found: dict[str, int] = json.loads((folder / "pids").read_text())
    except ValueError:  # being written
        return {}
    return found


def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    with supervised(tmp_path, one=SLEEP, other=SLEEP) as process:
        before = pids(tmp_path)
        os.kill(before["one"], signal.SIGKILL)
        wait_until(lambda: pids(tmp_path).get("one", before["one"]) != before["one"])
        assert pids(tmp_path)["other"] == before["other"]
        assert process.stdout is not None
        assert "one was killed by SIGKILL; starting it again" in process.stdout.readline()


def test_a_child_that_keeps_dying_is_started_more_and_more_slowly(tmp_path: Path) -> None:
    noted = tmp_path / "starts"
    with supervised(tmp_path, broken=NOTES_ITS_START):
        wait_until(lambda: noted.exists() and noted.read_text().count("\n") >= 4)
    starts = [float(moment) for moment in noted.read_text().split()]
    pauses_s = [later - earlier for earlier, later in pairwise(starts)]
    assert all(pause_s >= FIRST_PAUSE_S * 2**deaths for deaths, pause_s in enumerate(pauses_s[:3])), pauses_s


def test_stopping_stops_every_child_also_one_that_will_not(tmp_path: Path) -> None:
    with supervised(tmp_path, good=SLEEP, bad=STUBBORN) as process:
        children = pids(tmp_path)
        wait_until((tmp_path / "ready").exists)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
        assert "bad did not stop" in said
        assert not any(map(is_running, children.values()))


def test_a_second_request_to_stop_ends_the_patience(tmp_path: Path) -> None:
    with supervised(tmp_path, patience_s=120, bad=STUBBORN) as process:
        wait_until((tmp_path / "ready").exists)
        process.send_signal(signal.SIGINT)
        wait_until((tmp_path / "asked").exists)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert "did not stop" not in said


def test_grandchildren_in_sessions_of_their_own_do_not_survive_a_stop(tmp_path: Path) -> None:
    with supervised(tmp_path, parent=WITH_GRANDCHILD) as process:
        noted = tmp_path / "grandchild"
        wait_until(lambda: noted.exists() and noted.read_text() != "")
        grandchild = int(noted.read_text())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
        assert not is_running(grandchild)


def test_killing_the_supervisor_takes_the_children_along(tmp_path: Path) -> None:
    with supervised(tmp_path, one=SLEEP, bad=STUBBORN) as process:
        children = pids(tmp_path)
        process.kill()
        wait_until(lambda: not any(map(is_running, children.values())))


def test_a_child_gets_the_environment_it_is_told_and_no_other(tmp_path: Path) -> None:
    with supervised(tmp_path, one=SLEEP):
        environment = Path(f"/proc/{pids(tmp_path)['one']}/environ").read_bytes()
        assert environment == f"FOLDER={tmp_path}\0".encode()
