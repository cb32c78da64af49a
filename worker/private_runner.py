"""A runner of one's own, for `assay grade` and for tests: started as a child, and gone without a trace afterwards."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from grader.execution import SandboxUnavailable
from worker.runner_client import RunnerClient
from worker.socket_path import short_enough

_START_S = 360.0  # longer than its zygote may take: that tells why
_STOP_S = 10.0
_POLL_S = 0.02


@contextmanager
def private_runner(sessions: int = 0, **settings: str) -> Iterator[RunnerClient]:
    """Starts in about three seconds. `settings` are the runner's own, by name.

    Raises SandboxUnavailable, with the reason, when code cannot be confined here.
    """
    with tempfile.TemporaryDirectory(prefix="assay-runner-") as folder:
        path = Path(folder) / "socket"
        with (
            (Path(folder) / "log").open("w+b") as log,
            _started(path, {"sessions": str(sessions), **settings}, log.fileno()) as process,
        ):
            try:
                _await_socket(process, path, Path(log.name))
                yield RunnerClient(path)
            finally:
                _stop(process)


def _started(path: Path, settings: Mapping[str, str], log_fd: int) -> "subprocess.Popen[bytes]":
    """It stops when its standard input ends: also when this process is killed."""
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),  # what we import, it imports: installed or not
        "ASSAY_RUNNER_SOCKET": str(path),
        "ASSAY_RUNNER_END_WITH_STDIN": "1",
        **{f"ASSAY_RUNNER_{name.upper()}": value for name, value in settings.items()},
    }
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "worker.runner"],
        env=environment,
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=log_fd,
        stderr=log_fd,
        start_new_session=True,
    )


def _await_socket(process: "subprocess.Popen[bytes]", path: Path, log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            last = log.read_text(errors="replace").strip().splitlines()[-1:]
            raise SandboxUnavailable(last[0] if last else f"the runner ended with status {process.returncode}")
        with socket.socket(socket.AF_UNIX) as probe, short_enough(path) as address:
            if path.exists() and probe.connect_ex(address) == 0:
                return
        time.sleep(_POLL_S)
    raise SandboxUnavailable(f"the runner was not ready after {_START_S:.0f} s")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(timeout=_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
