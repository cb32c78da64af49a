"""What the runner tries in a real child before it serves anybody, and of every zygote that comes after the first: a
dozen things that must not be possible.

It is judged by what it prints, so it must be our own code: it runs before the first submission.
"""

import json
from pathlib import Path

import worker
from grader.guest.submission import Submission
from worker.sandbox.backend import Child, Gap, SandboxError
from worker.sandbox.jobs import run_job
from worker.sandbox.supervisor import Session, SessionOverError

_PATH = "selftest/probe.py"
_SOURCE = """
import json, os, socket, sys, threading

def blocked(attempt):
    try:
        return f"it worked: {attempt()!r}"[:200]
    except (OSError, ImportError):
        return ""

def families():
    return [f for f in (1, 2, 10, 16, 17, 38, 40) if not blocked(lambda: socket.socket(f, socket.SOCK_DGRAM))]

def open_fds():
    found = []
    for fd in range(256):
        try:
            os.fstat(fd); found.append(fd)
        except OSError:
            pass
    return found

def works():
    thread = threading.Thread(target=lambda: None); thread.start(); thread.join()
    import colorsys, torch  # files must be readable for the user that the sandbox runs as, not only loaded before
    return open(torch.__file__).read(1) and open(os.environ["TMPDIR"] + "/x", "w").write("x")

print(json.dumps({
    "a network": "" if len(families()) == 7 else "some socket could be made",
    "the password file": blocked(lambda: open("/etc/passwd").read(20)),
    "the process table": blocked(lambda: os.listdir("/proc")),
    "the project": blocked(lambda: os.listdir(PROJECT + "/worker")),
    "the exercises": blocked(lambda: __import__("challenges")),
    "the judge": blocked(lambda: __import__("grader.grade")),
    "a second process": blocked(os.fork),
    "another program": blocked(lambda: os.execv("/bin/sh", ["sh"])),
    "a signal to others": blocked(lambda: os.kill(-1, 9)),
    "the libraries, for writing": blocked(lambda: open(os.__file__, "a")),
    "the root folder, for writing": blocked(lambda: open("/x", "w")),
    "another identity": blocked(lambda: os.setuid(0)),
    "processes of others": "" if (os.getpid(), os.getppid()) == (1, 0) else f"it is process {os.getpid()}",
    "a name of its own": "" if os.uname().nodename == "sandbox" else os.uname().nodename,
    "inherited descriptors": "" if open_fds() == [0, 1, 2, 3, 4] else f"open: {open_fds()}",
    "an installation that cannot be used": "" if works() else "a thread or a temporary file failed",
}))
"""


class SelfTestError(SandboxError):
    """The isolation asked for is not in force here."""


def resting_bytes(child: Child) -> int | None:
    """Measures what a child holds when it has nothing to do, where that is counted. Uses the child up."""
    session = Session(child)
    session.await_ready()
    return session.end().peak_memory_bytes


def check_isolation(child: Child, gaps: frozenset[Gap] = frozenset()) -> None:
    """Uses the child up. Raises SelfTestError that says what was possible, or SandboxError."""
    project = str(Path(worker.__file__).resolve().parents[1])
    source = f"PROJECT = {project!r}\n{_SOURCE}".encode()
    session = Session(child)
    try:
        session.await_ready()
        session.exchange(run_job(Submission(_PATH, {_PATH: source})).encode())
    except SessionOverError as error:
        log = session.end().log.decode(errors="replace")
        raise SelfTestError(f"The self-test of the sandbox did not finish: {error}. {log[-500:]}") from error
    report = session.end()
    _judge(report.log.decode(errors="replace"), gaps)


def _judge(printed: str, gaps: frozenset[Gap]) -> None:
    try:
        results: dict[str, str] = json.loads(printed)
    except ValueError as error:
        raise SelfTestError(f"The self-test of the sandbox printed nonsense: {printed[:500]}") from error
    possible = [f"{what} ({how})" for what, how in results.items() if how and what not in gaps]
    if possible:
        raise SelfTestError(f"The sandbox is not tight here: {'; '.join(possible)}. It refuses to serve.")
