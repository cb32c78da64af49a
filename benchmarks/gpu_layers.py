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
from worker.sandbox.nursery import Zygote, gpu_options
from worker.sandbox.options import Options
from worker.sandbox.seccomp import compile_filter
from worker.sandbox.supervisor import Session

ALLOW_EVERYTHING = struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000)  # one instruction: return ALLOW
_REFUSED = re.compile(r"type=1326 .*\bsyscall=(\d+)")


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
    return "\n".join(f"         {name}: {_attempt(loosen)}" for name, loosen in LOOSENED.items()) + _noted()


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
        return str(error)
    finally:
        zygote.stop()
    return "a context was made"


def _noted() -> str:
    done = subprocess.run(["dmesg"], capture_output=True, text=True, check=False)
    numbers = sorted({int(number) for number in _REFUSED.findall(done.stdout)})
    if not numbers:
        return "\n         the kernel's log names no call that was noted"
    architecture = pyseccomp.system_arch()
    names = [f"{pyseccomp.resolve_syscall(architecture, number)} ({number})" for number in numbers]
    return f"\n         calls that the filter lacks, by the kernel's log: {', '.join(names)}"
