"""Submissions that try to get out, to stay, to see others or to exhaust the machine. Each prints what it managed."""

# ruff: noqa: E501  (the submissions are texts; a broken line in one would read worse)

import json
import os
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import challenges
import grader
from grader.guest.execution import FULLY, Call, CallStatus, Ending, Execution
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.runner_client import RunnerClient

Run = Callable[..., Execution]
PATH = "cs336_basics/layers.py"
PRELUDE = """
import ctypes, errno, json, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
seen = {}
def attempt(name, action):
    try:
        seen[name] = "worked: " + repr(action())[:200]
    except BaseException as error:
        seen[name] = type(error).__name__ + ": " + str(error)[:100]
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def tell():
    print(json.dumps(seen), flush=True)
"""


def seen_by(run: Run, source: str, **limits: float) -> dict[str, str]:
    execution = run(f"{PRELUDE}\n{textwrap.dedent(source)}\ntell()\n", **limits)
    assert execution.ending is Ending.COMPLETED, (execution.ending, execution.detail, execution.problem, execution.log)
    found: dict[str, str] = json.loads(execution.log.strip().splitlines()[-1])
    assert found
    return found


def assert_nothing_worked(seen: dict[str, str]) -> None:
    assert {name: how for name, how in seen.items() if how.startswith("worked")} == {}


def test_no_file_outside_the_tree_can_be_read(run: Run) -> None:
    secrets = [
        "/etc/passwd",
        "/etc/shadow",
        "/proc/self/status",
        "/proc/1/mem",
        "/proc/self/fd",
        "/sys",
        "/run",
        "/var",
        "/bin/sh",
        "/usr/bin",
        "/dev/mem",
        "/dev/shm",
        "/dev/fd",
        str(Path(grader.__file__).parent),
        str(Path(challenges.__file__).parent),
        str(Path(__file__)),
        str(Path.home() / ".ssh"),
        str(Path.home() / ".bashrc"),
        str(Path(grader.__file__).parents[1] / ".git"),
        "/tmp/../etc/passwd",
    ]
    seen = seen_by(
        run,
        f"for path in {secrets!r}:\n"
        "    attempt(path, lambda: os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(40))\n",
    )
    assert_nothing_worked(seen)


def test_nothing_of_the_judge_can_be_imported_or_found_in_memory(run: Run) -> None:
    seen = seen_by(
        run,
        """
        import importlib
        for name in ("challenges", "grader.grade", "grader.comparison.compare", "grader.comparison", "grader.paper.draw",
                     "grader.paper", "grader.report", "grader.inprocess", "grader.questions", "app", "assay", "engine",
                     "worker.tasks", "worker.runner_client", "pytest"):
            attempt(name, lambda: importlib.import_module(name))
        """,
    )
    assert_nothing_worked(seen)


def test_the_environment_and_the_arguments_tell_nothing(run: Run) -> None:
    os.environ["ASSAY_TEST_SECRET"] = "canary-7f3a"
    try:
        seen = seen_by(
            run,
            """
            import gc
            attempt("environ", lambda: sorted(os.environ))
            attempt("argv", lambda: sys.argv)
            attempt("canary", lambda: [o for o in gc.get_objects() if isinstance(o, dict) and "ASSAY_TEST_SECRET" in o])
            """,
        )
    finally:
        del os.environ["ASSAY_TEST_SECRET"]
    assert "ASSAY" not in seen["environ"]
    assert seen["argv"] == "worked: ['']"
    assert seen["canary"] == "worked: []"


def test_no_network_of_any_family(run: Run) -> None:
    seen = seen_by(
        run,
        """
        import socket
        for family in range(0, 46):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                attempt(f"{family}/{kind}", lambda: socket.socket(family, kind))
        attempt("pair", socket.socketpair)
        attempt("connect", lambda: socket.create_connection(("127.0.0.1", 6379), 1))
        attempt("resolve", lambda: socket.getaddrinfo("example.org", 80))
        """,
    )
    assert_nothing_worked(seen)


def test_no_other_process_can_be_made_or_reached(run: Run) -> None:
    seen = seen_by(
        run,
        """
        import subprocess, multiprocessing
        attempt("fork", os.fork); attempt("fork call", lambda: call(57)); attempt("vfork", lambda: call(58))
        attempt("clone", lambda: call(56, 17, 0, 0, 0, 0)); attempt("clone user", lambda: call(56, 0x10000011, 0, 0, 0, 0))
        attempt("clone3", lambda: call(435, 0, 0)); attempt("clone no thread", lambda: call(56, 0x900 | 17, 0, 0, 0, 0))
        attempt("run", lambda: subprocess.run(["/bin/sh"])); attempt("exec", lambda: os.execv(sys.executable, ["x"]))
        attempt("system", lambda: 1 / (os.system("id") == 0)); attempt("spawn", lambda: os.posix_spawn("/bin/sh", ["sh"], {}))
        attempt("multiprocessing", lambda: multiprocessing.get_context("fork").Process(target=print).start())
        for pid in (-1, 0, 2, 3, 4, 10, 100): attempt(f"kill {pid}", lambda: os.kill(pid, 9))
        attempt("tgkill", lambda: call(234, 2, 2, 9)); attempt("tkill", lambda: call(200, 2, 9))
        attempt("pidfd", lambda: os.pidfd_open(1)); attempt("signal pidfd", lambda: call(424, 3, 9, 0, 0))
        attempt("ptrace", lambda: call(101, 16, 1, 0, 0)); attempt("readv", lambda: call(310, 1, 0, 0, 0, 0, 0))
        attempt("setsid", os.setsid); attempt("memfd", lambda: call(319, b"x", 0))
        """,
    )
    assert_nothing_worked(seen)


def test_the_kernels_surface_is_closed(run: Run) -> None:
    calls = {
        "io_uring": 425, "bpf": 321, "userfaultfd": 323, "keyctl": 250, "add_key": 248, "request_key": 249, "perf": 298,
        "mount": 165, "umount": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "fsopen": 430,
        "open_tree": 428, "move_mount": 429, "mount_setattr": 442, "seccomp": 317, "personality": 135, "init_module": 175,
        "open_by_handle_at": 304, "name_to_handle_at": 303, "memfd_secret": 447, "setuid": 105, "capset": 126,
        "modify_ldt": 154, "fanotify": 300, "inotify": 294, "shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240,
        "splice": 275, "vmsplice": 278, "eventfd": 290, "timerfd": 283, "timer_create": 222, "epoll": 291, "syslog": 103,
        "sethostname": 170, "mlock": 149, "mbind": 237, "process_madvise": 440, "landlock": 446, "flock": 73, "reboot": 169,
        "quotactl": 179, "ioprio": 251, "sched_setattr": 314, "sched_setaffinity": 203, "mincore": 27, "kcmp": 312,
        "symlink": 88, "link": 86, "mknod": 133, "chmod": 90, "sendmsg": 46, "setrlimit": 160, "setpriority": 141,
        "alarm": 37, "getitimer": 36,
    }  # fmt: skip
    seen = seen_by(
        run,
        f"for name, number in {calls!r}.items():\n    attempt(name, lambda: call(number, 0, 0, 0, 0, 0, 0))\n"
        "import fcntl, termios, resource\n"
        "attempt('TIOCSTI', lambda: fcntl.ioctl(0, termios.TIOCSTI, b'x'))\n"
        "attempt('lock', lambda: fcntl.fcntl(3, fcntl.F_SETLK, bytes(32)))\n"
        "attempt('pipe size', lambda: fcntl.fcntl(4, 1031, 1 << 20))\n"
        "attempt('raise a limit', lambda: resource.setrlimit(resource.RLIMIT_NPROC, (99, 99)))\n"
        "attempt('dumpable', lambda: libc.prctl(4, 1, 0, 0, 0) and 1 / 0)\n",
    )
    assert seen.pop("dumpable") == "ZeroDivisionError: division by zero"
    assert seen.pop("raise a limit") == "ValueError: not allowed to raise maximum limit"
    assert {name: how for name, how in seen.items() if "Operation not permitted" not in how} == {}


def test_nothing_can_be_written_but_a_small_tmp(run: Run) -> None:
    seen = seen_by(
        run,
        """
        import torch
        for path in ("/x", os.__file__, torch.__file__, "/dev/x", os.path.dirname(torch.__file__) + "/evil.py", "/dev/zero"):
            attempt(path, lambda: open(path, "r+" if os.path.exists(path) else "w").write("x"))
        attempt("remove", lambda: os.unlink(torch.__file__))
        attempt("symlink", lambda: os.symlink("/etc/passwd", "l")); attempt("fifo", lambda: os.mkfifo("f"))
        """,
    )
    assert_nothing_worked(seen)


def test_the_disk_and_the_inodes_run_out_early(run: Run) -> None:
    seen = seen_by(
        run,
        """
        def fill(size, limit):
            count = 0
            try:
                while count < limit:
                    with open(f"{size}-{count}", "wb") as file: file.write(b"x" * size)
                    count += 1
            except OSError:
                pass
            for name in os.listdir("."): os.unlink(name)
            return count
        attempt("megabytes", lambda: fill(1 << 20, 1000)); attempt("files", lambda: fill(0, 10000))
        """,
        tmp_bytes=4 << 20,
    )
    assert int(seen["megabytes"].split()[-1]) <= 4
    assert int(seen["files"].split()[-1]) < 256


def test_only_the_channels_are_open(run: Run) -> None:
    seen = seen_by(
        run,
        """
        import fcntl, stat
        def opened():
            found = {}
            for fd in range(4096):
                try: found[fd] = (stat.S_ISFIFO(os.fstat(fd).st_mode), fcntl.fcntl(fd, fcntl.F_GETFL) & 3)
                except OSError: pass
            return found
        attempt("fds", opened)
        attempt("own result", lambda: os.read(4, 1)); attempt("own log", lambda: os.read(1, 1))
        """,
    )
    # empty input; two writing ends of the log; the job to read; the result to write
    assert seen["fds"] == "worked: {0: (False, 0), 1: (True, 1), 2: (True, 1), 3: (True, 0), 4: (True, 1)}"
    assert seen["own result"].startswith("OSError")
    assert seen["own log"].startswith("OSError")


def test_a_submission_is_nobody_alone_in_its_namespaces(run: Run) -> None:
    seen = seen_by(
        run,
        """
        attempt("ids", lambda: (os.getuid(), os.geteuid(), os.getgid(), os.getpid(), os.getppid()))
        attempt("name", lambda: os.uname().nodename)
        attempt("root", lambda: sorted(os.listdir("/dev")))
        attempt("thread id", lambda: __import__("threading").get_native_id())
        """,
    )
    assert seen["ids"] == "worked: (1000, 1000, 1000, 1, 0)"
    assert seen["name"] == "worked: 'sandbox'"
    assert seen["root"] == "worked: ['null', 'urandom']"
    assert seen["thread id"] == "worked: 1"


MARK = """
import torch, builtins, sys, einops
torch.MARK = builtins.MARK = einops.MARK = "from-an-earlier-submission"
sys.modules["mark"] = torch
open("mark", "w").write("from-an-earlier-submission")
os.environ["MARK"] = "1"
attempt("marked", lambda: open("mark").read())
"""
LOOK = """
import torch, builtins, sys, einops, gc
attempt("modules", lambda: [hasattr(m, "MARK") for m in (torch, builtins, einops)] + ["mark" in sys.modules])
attempt("file", lambda: os.listdir("."))
attempt("environment", lambda: "MARK" in os.environ)
word = "-".join(("from", "an", "earlier", "submission"))
attempt("strings", lambda: [o for o in gc.get_objects() if isinstance(o, (str, dict)) and o is not seen and word in o])
"""


def test_nothing_of_one_submission_reaches_the_next(run: Run) -> None:
    for _ in range(3):
        assert seen_by(run, MARK)["marked"] == "worked: 'from-an-earlier-submission'"
        assert seen_by(run, LOOK) == {
            "modules": "worked: [False, False, False, False]",
            "file": "worked: []",
            "environment": "worked: False",
            "strings": "worked: []",
        }


def test_threads_are_few_and_work(run: Run) -> None:
    seen = seen_by(
        run,
        """
        import threading
        def start():
            count = 0
            try:
                while count < 5000: threading.Thread(target=time.sleep, args=(30,), daemon=True).start(); count += 1
            except RuntimeError: return count
        import torch
        attempt("torch threads", lambda: (torch.set_num_threads(4), (torch.ones(800, 800) @ torch.ones(800, 800))[0, 0].item())[1])
        attempt("threads", start)
        """,
        processes=16,
    )
    assert seen["torch threads"] == "worked: 800.0"
    assert 1 <= int(seen["threads"].split()[-1]) <= 15


MEMORY_BOMBS = {
    "bytes": "held.append(bytearray(16 << 20))",
    "torch": "held.append(torch.ones(4 << 20))",
    "private mapping": "held.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)); held[-1].write(b'x' * (16 << 20))",
    "shared mapping": "held.append(mmap.mmap(-1, 16 << 20)); held[-1].write(b'x' * (16 << 20))",
    "shared file mapping": "held.append(open(f'{len(held)}', 'w+b')); held[-1].truncate(16 << 20); m = mmap.mmap(held[-1].fileno(), 16 << 20); m.write(b'x' * (16 << 20)); held.append(m)",
    "share_memory_": "held.append(torch.ones(4 << 20).share_memory_())",
}


@pytest.mark.parametrize("bomb", MEMORY_BOMBS)
def test_memory_is_bounded_however_it_is_taken(run: Run, bomb: str) -> None:
    source = f"""
import mmap, torch
held = []
def f(x):
    while len(held) < 200:
        {MEMORY_BOMBS[bomb]}
    return x
"""
    execution = run(source, Call("f", "f", {"x": torch.ones(1)}), memory_bytes=256 << 20, tmp_bytes=8 << 20)
    assert not any(outcome.status is CallStatus.RETURNED for outcome in execution.outcomes)
    assert execution.peak_memory_bytes is not None
    assert execution.peak_memory_bytes < 330 << 20


def test_page_tables_are_bounded(run: Run) -> None:
    seen = seen_by(
        run,
        """
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        def bomb():
            for count in range(400):
                address = libc.mmap(None, 1 << 30, 1, 0x4022, -1, 0)
                if address in (None, 2**64 - 1): return count
                for offset in range(0, 1 << 30, 2 << 20): ctypes.c_char.from_address(address + offset).value
        attempt("gigabytes mapped", bomb)
        """,
    )
    assert int(seen["gigabytes mapped"].split()[-1]) <= 3


def test_deep_recursion_ends_the_session_and_nothing_else(run: Run) -> None:
    source = "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __repr__(self): return repr(self)\ndef f(x): return repr(A())\n"
    execution = run(source, Call("f", "f", {"x": torch.ones(1)}))
    assert execution.ending in (Ending.KILLED, Ending.COMPLETED)


@pytest.mark.parametrize("number", ["0x40000000 + 39", "-1"])
def test_foreign_system_call_numbers_end_or_fail(run: Run, number: str) -> None:
    execution = run(f"{PRELUDE}\nattempt('x', lambda: call({number}))\ntell()\n")
    assert execution.ending is Ending.KILLED or "worked" not in execution.log


def test_the_runner_survives_a_crowd_of_killers(runner: RunnerClient) -> None:
    bad = ["import os; os._exit(0)", "import ctypes; ctypes.string_at(0)", "while True: pass", "import os; os.abort()"]
    endings: list[Ending] = []

    def one(source: str) -> None:
        submission = Submission(PATH, {PATH: source.encode()})
        endings.append(runner.run(submission, [], Limits(wall_s=0.3)).ending)

    threads = [threading.Thread(target=one, args=(source,)) for source in bad * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(endings) == 16
    started = time.monotonic()
    good = runner.run(Submission(PATH, {PATH: b"def f(x): return x"}), [Call("f", "f", {"x": torch.ones(1)})], Limits())
    assert good.ending is Ending.COMPLETED
    assert time.monotonic() - started < 30  # it has not waited a minute for a place


def test_a_thread_that_was_started_by_the_import_is_watched(run: Run) -> None:
    source = (
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\npool.submit(int).result()\n"
        "def double(x): return 2 * x\ndef f(x): return pool.submit(double, x).result()\n"
    )
    (outcome,) = run(source, Call("f", "f", {"x": torch.ones(2)}, tracing=FULLY)).outcomes
    assert outcome.trace is not None
    assert "double" in outcome.trace.own_functions
