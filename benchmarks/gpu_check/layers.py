"""Which layer of the sandbox keeps a driver from making its context: each loosened alone, in a zygote of its own."""

import re
import struct
import subprocess
from collections.abc import Callable
from dataclasses import replace

import pyseccomp

from grader.gpu_stage import LIMITS
from worker.sandbox.backend import SandboxError
from worker.sandbox.gpu import NoGpuError
from worker.sandbox.options import Options
from worker.sandbox.seccomp import compile_filter
from worker.sandbox.supervisor import Session
from worker.sandbox.zygote_client import Zygote, gpu_options

ALLOW_EVERYTHING = struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000)  # one instruction: return ALLOW
_NOTED = re.compile(r"type=1326 .*\bsyscall=(\d+)")


def _without_filter(options: Options) -> Options:
    return replace(options, seccomp=ALLOW_EVERYTHING)


def _noting(options: Options) -> Options:
    """What is not listed is let through, and noted in the kernel's log where that is kept."""
    return replace(options, seccomp=compile_filter(on_gpu=True, unlisted=pyseccomp.LOG))


def _with_all_of_sysfs(options: Options) -> Options:
    assert options.gpu is not None
    kept = tuple(path for path in options.gpu.readable if not path.startswith("/sys"))
    return replace(options, gpu=replace(options.gpu, readable=(*kept, "/sys")))


LOOSENED: dict[str, Callable[[Options], Options]] = {
    "as it is": lambda options: options,
    "with every system call": _without_filter,
    "with calls noted and let through": _noting,
    "with all of /sys": _with_all_of_sysfs,
    "with both": lambda options: _without_filter(_with_all_of_sysfs(options)),
}


def explain() -> str:
    """A line for each way; where none works, what is left is Landlock, /proc, or a limit."""
    before = len(_kernel_log())
    told = [f"         {name}: {_attempt(loosen)}" for name, loosen in LOOSENED.items()]
    numbers = sorted({int(number) for line in _kernel_log()[before:] for number in _NOTED.findall(line)})
    names = ", ".join(map(_name_of, numbers)) or "none, or the log does not keep them"
    return "\n".join([*told, f"         calls that the filter lacks, by the kernel's log: {names}"])


def _attempt(loosen: Callable[[Options], Options]) -> str:
    try:
        zygote = Zygote.start(loosen(gpu_options()))
    except (SandboxError, NoGpuError) as error:
        return str(error)
    try:
        session = Session(zygote.spawn(LIMITS))
        session.await_ready()
        session.end()
    except SandboxError as error:
        return str(error).splitlines()[-1]
    finally:
        zygote.stop()
    return "a context was made"


def _kernel_log() -> list[str]:
    return subprocess.run(["dmesg"], capture_output=True, text=True, check=False).stdout.splitlines()


def _name_of(number: int) -> str:
    try:
        return f"{pyseccomp.resolve_syscall(pyseccomp.system_arch(), number).decode()} ({number})"
    except ValueError:  # of another architecture
        return str(number)
