"""A runner as a child of this process, gone without a trace afterwards. Knows no torch: whoever needs that imports it
while the runner starts.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox.waiting import ends_within
from worker.socket_path import short_enough

_START_S = 360.0  # longer than its zygote may take: that tells why
_STOP_S = 10.0
_POLL_S = 0.005


class RunnerNotReadyError(Exception):
    """Code cannot be confined here, with the reason."""


@dataclass(frozen=True)
class RunnerProcess:
    """One that was started; it serves on `socket` once it is ready."""

    socket: Path
    _process: "subprocess.Popen[bytes]"
    _log: Path

    @property
    def is_ready(self) -> bool:
        """Whether it serves by now."""
        with socket.socket(socket.AF_UNIX) as probe, short_enough(self.socket) as address:
            return self.socket.exists() and probe.connect_ex(address) == 0

    def await_ready(self) -> None:
        """Raises RunnerNotReadyError."""
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                last = self._log.read_text(errors="replace").strip().splitlines()[-1:]
                raise RunnerNotReadyError(
                    last[0] if last else f"the runner ended with status {self._process.returncode}"
                )
            if self.is_ready:
                return
            time.sleep(_POLL_S)
        raise RunnerNotReadyError(f"the runner was not ready after {_START_S:.0f} s")


@contextmanager
def runner_process(sessions: int = 0, **settings: str) -> Iterator[RunnerProcess]:
    """Begins to start one. `settings` are the runner's own, by name."""
    with tempfile.TemporaryDirectory(prefix="assay-runner-") as folder:
        path, log_path = Path(folder) / "socket", Path(folder) / "log"
        with (
            log_path.open("w+b") as log,
            _started(path, {"sessions": str(sessions), **settings}, log.fileno()) as process,
        ):
            try:
                yield RunnerProcess(path, process, log_path)
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


def _stop(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    process.stdin.close()
    if not ends_within(process, _STOP_S):
        process.kill()
        process.wait()
