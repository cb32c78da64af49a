"""The layers do not lean on each other: with the system-call filter switched off, the others still hold."""

import json
import struct
from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.sandbox.jobs import run_job
from worker.sandbox.supervisor import Session
from worker.sandbox.zygote_client import Zygote, standard_options

PATH = "layers.py"
ALLOW_EVERYTHING = struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000)  # one instruction: return ALLOW
SOURCE = b"""
import ctypes, json, os, socket
libc = ctypes.CDLL(None, use_errno=True)
seen = {}
def attempt(name, action):
    try:
        seen[name] = "worked: " + repr(action())[:100]
    except OSError as error:
        seen[name] = type(error).__name__
def mount():
    if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) < 0: raise OSError(ctypes.get_errno(), "mount")
def chroot_out():
    os.chroot("/tmp"); os.chdir("../../.."); return os.listdir(".")
def loopback():
    socket.create_connection(("127.0.0.1", 22), 1)
attempt("filter is off", lambda: socket.socket())
attempt("password file", lambda: open("/etc/passwd").read(10))
attempt("processes", lambda: os.listdir("/proc"))
attempt("kill everybody", lambda: os.kill(-1, 9))
attempt("kill the parent", lambda: os.kill(os.getppid() or 2, 9))
attempt("loopback", loopback)
attempt("mount", mount)
attempt("chroot", chroot_out)
attempt("become root", lambda: os.setuid(0))
attempt("write the library", lambda: open(os.__file__, "a"))
attempt("device", lambda: os.mknod("/tmp/d", 0o600 | 0o020000, os.makedev(1, 1)))
attempt("program", lambda: os.execv("/lib64/ld-linux-x86-64.so.2", ["ld"]))
attempt("raise priority", lambda: os.nice(-5))
def bomb():
    count = 0
    try:
        while count < 500:
            if os.fork() == 0:
                import time; time.sleep(30); os._exit(0)
            count += 1
    except OSError:
        pass
    return count
attempt("bomb", bomb)
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def seen() -> Iterator[dict[str, str]]:
    zygote = Zygote.start(replace(standard_options(), seccomp=ALLOW_EVERYTHING))
    try:
        session = Session(zygote.spawn(Limits(processes=16)))
        session.await_ready()
        session.exchange(run_job(Submission(PATH, {PATH: SOURCE})).encode())
        yield json.loads(session.end().log)
    finally:
        zygote.stop()


def test_the_filter_is_really_off(seen: dict[str, str]) -> None:
    assert seen["filter is off"].startswith("worked")


def test_namespaces_root_capabilities_and_landlock_hold_alone(seen: dict[str, str]) -> None:
    others = {name: how for name, how in seen.items() if name not in ("filter is off", "bomb")}
    assert {name: how for name, how in others.items() if how.startswith("worked")} == {}


def test_the_number_of_processes_is_limited_alone(seen: dict[str, str]) -> None:
    assert 1 <= int(seen["bomb"].split()[-1]) <= 15
