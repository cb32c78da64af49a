"""An ordinary user, for tests that run as root: nobody, without any capability.

Where Python lives in a folder that only root may enter, nobody sees it through a mount of its own; nothing on disk
changes. For an ordinary user, all of this is just starting a process.
"""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE_S
from worker.runner_client import RunnerClient
from worker.sandbox.privileges import NOBODY

PROJECT = Path(__file__).parents[2]
START_S = PATIENCE_S
PROGRAM_S = 20.0
# Runs as root before the program proper: opens the way to Python in a mount namespace of its own, then gives up root.
_LAUNCH = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from worker.sandbox import privileges, syscalls
syscalls.unshare(syscalls.CLONE_NEWNS)
syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
for needed in sys.argv[2].split(":"):
    closed = next((part for part in [*reversed(Path(needed).parents)] if not part.stat().st_mode & 1), None)
    if closed is not None:
        folder = os.open(needed, os.O_PATH | os.O_DIRECTORY)
        syscalls.mount("way", str(closed), "tmpfs", 0, "mode=755,size=1m")
        Path(needed).mkdir(parents=True)
        syscalls.mount(f"/proc/self/fd/{folder}", needed, None, syscalls.MS_BIND | syscalls.MS_REC)
privileges.become_nobody()
os.execve(sys.argv[3], sys.argv[3:], dict(os.environ))
"""
# Reads the programs, and puts each to a fork of itself: so torch is imported once.
_FORKS = """
import json, os, select, signal, sys
import torch
programs, found = json.load(sys.stdin), {}
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
for number, (name, source) in enumerate(programs.items()):
    folder = os.path.join(os.getcwd(), str(number))
    os.mkdir(folder)
    log = os.open(os.path.join(os.getcwd(), f"{number}.log"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            os.dup2(log, 1), os.dup2(log, 2)
            os.close(log)
            exec(compile(source, name, "exec"), {"__name__": "__main__"})
        except BaseException:
            import traceback
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(1)
    pidfd = os.pidfd_open(pid)
    if not select.select([pidfd], [], [], float(sys.argv[1]))[0]:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    told = os.pread(log, 4000, 0).decode(errors="replace")
    found[name] = f"status {os.waitstatus_to_exitcode(status)}: {told}" if status else ""
    os.close(pidfd), os.close(log)
print(json.dumps(found))
"""


def _command(*arguments: str) -> list[str]:
    program = [sys.executable, *arguments]
    if os.getuid() != 0:
        return program
    needed = ":".join(sorted({sys.base_prefix, sys.prefix, str(PROJECT)}))
    return [sys.executable, "-P", "-c", _LAUNCH, str(PROJECT), needed, *program]


def _owner(folder: Path) -> None:
    if os.getuid() == 0:
        os.chown(folder, NOBODY, NOBODY)


def run_as_ordinary(programs: Mapping[str, str]) -> dict[str, str]:
    """Programs by name, each in a fork and a folder of its own, with one descriptor and one variable too many for it to
    find. What went wrong with each, or nothing where it ended with status 0.
    """
    environment = {"PATH": "/usr/bin:/bin", "ASSAY_OPEN": "1", "PYTHONPATH": str(PROJECT), "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="assay-open-") as name, Path(os.devnull).open() as extra:
        _owner(Path(name))
        spare = fcntl.fcntl(extra, fcntl.F_DUPFD, 64)
        try:
            done = subprocess.run(
                _command("-B", "-c", _FORKS, str(PROGRAM_S)),
                cwd=name,
                env=environment,
                pass_fds=[spare],
                input=json.dumps(dict(programs)),
                capture_output=True,
                text=True,
                timeout=START_S + len(programs) * PROGRAM_S,
                check=False,
            )
        finally:
            os.close(spare)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


@contextmanager
def ordinary_runner(sessions: int) -> Iterator[RunnerClient]:
    """A runner like `private_runner`'s that has no privilege to begin with."""
    with tempfile.TemporaryDirectory(prefix="assay-runner-") as name:
        _owner(Path(name))
        client = RunnerClient(Path(name) / "socket")
        process = subprocess.Popen(
            _command("-P", "-m", "worker.runner"),
            env=_environment(client._path, sessions),
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _await(process, client._path)
            yield client
        finally:
            _stop(process)


def _environment(path: Path, sessions: int) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(PROJECT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "ASSAY_RUNNER_SOCKET": str(path),
        "ASSAY_RUNNER_SESSIONS": str(sessions),
        "ASSAY_RUNNER_END_WITH_STDIN": "1",
    }


def _await(process: "subprocess.Popen[bytes]", path: Path) -> None:
    deadline = time.monotonic() + START_S
    while not path.exists():
        if process.poll() is not None:
            assert process.stdout is not None
            raise AssertionError(f"the runner ended: {process.stdout.read().decode(errors='replace')[-2000:]}")
        if time.monotonic() > deadline:
            raise AssertionError(f"the runner was not ready after {START_S:.0f} s")
        time.sleep(0.05)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout is not None
    process.stdout.close()
