"""Runs all of it: `python -m benchmarks.gpu_check`.

Ends 0 when every check passed, 1 when one failed, 77 when none could be run for want of a GPU. Prints a table for
docs/gpu.md.
"""

import platform
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import version
from typing import Final

from benchmarks.gpu_check.bench import Bench, Failed, NotRun, require
from benchmarks.gpu_check.checks import IN_SANDBOX, ready_child_has_its_context
from benchmarks.gpu_check.figures import IN_PROCESS, figures, in_a_process_of_its_own, table, without_sandbox
from benchmarks.gpu_check.layers import explain
from grader.challenge import load_challenges
from grader.exercise import exercise_of
from grader.gpu_report import GpuReport
from grader.guest.execution import Device, SandboxUnavailable
from worker.gpu import NvidiaGpu, open_gpu
from worker.gpu_pool import SLACK_BYTES
from worker.private_runner import private_runner
from worker.sandbox.allowed_packages import standard_tree
from worker.sandbox.backend import SandboxError
from worker.sandbox.gpu import NoGpuError, find_gpu

NO_GPU: Final = 77
STARTING: Final = "the sandbox starts with the GPU, and passes its self-test"
EMPTY_ZYGOTE: Final = "the zygote holds nothing of the GPU"
FIGURES: Final = {False: "the figures, without a sandbox", True: "the figures, in the sandbox"}
ALL: Final = (FIGURES[False], STARTING, EMPTY_ZYGOTE, *IN_SANDBOX, FIGURES[True])


def run_check(check: Callable[[], str]) -> tuple[str, str]:
    """`ok`, `FAILED` or `NOT RUN`, and why."""
    try:
        return "ok", check()
    except NotRun as reason:
        return "NOT RUN", str(reason)
    except Exception as error:  # noqa: BLE001  one check that breaks must not keep the others from running
        return "FAILED", f"{'' if isinstance(error, Failed) else type(error).__name__ + ': '}{error}"


class Told:
    """Prints each check as it ends, and counts."""

    def __init__(self) -> None:
        self.counts = {"ok": 0, "FAILED": 0, "NOT RUN": 0}

    def run(self, name: str, check: Callable[[], str]) -> bool:
        """Runs a check and prints what came of it. True when it holds."""
        state, detail = run_check(check)
        self.counts[state] += 1
        print(f"{state:8} {name}: {detail}", flush=True)
        return state == "ok"


def here() -> NvidiaGpu:
    """Raises NotRun with the reason why nothing can be checked."""
    try:
        gpu = open_gpu(find_gpu(standard_tree().folders).number)
    except (NoGpuError, SandboxError) as error:
        raise NotRun(str(error)) from error
    command = [sys.executable, "-c", "import torch; torch.zeros(1, device='cuda')"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:]
        raise NotRun(f"torch of {sys.executable} makes no CUDA context: {' '.join(last)}")
    return gpu


def main() -> int:
    """Runs every check that can be run here, prints what each found, and the tables."""
    if IN_PROCESS in sys.argv:
        return without_sandbox()
    try:
        gpu = here()
    except NotRun as reason:
        print(f"No GPU can be used: {reason}\n\nThese {len(ALL)} checks were NOT RUN:")
        print("\n".join(f"  {name}" for name in ALL))
        return NO_GPU
    print(f"{machine(gpu)}\n")
    told, tables = Told(), []

    def measure(*, is_confined: bool, find: Callable[[], dict[str, GpuReport]]) -> str:
        reports = find()
        tables.extend(table(f"{gpu.name}, {'in the sandbox' if is_confined else 'without a sandbox'}", reports))
        wrong = [name for name, report in reports.items() if not report.is_right]
        require(not wrong, f"not right: {', '.join(wrong)}")
        times = [report.time.median for report in reports.values() if report.time is not None]
        return f"{len(reports)} answers, {min(times):.2f} to {max(times):.2f} times the plain one's time"

    told.run(FIGURES[False], lambda: measure(is_confined=False, find=in_a_process_of_its_own))
    _check_sandbox(gpu, told, measure)
    print("\n".join(["", machine(gpu), *tables]))
    passed, failed, left = told.counts.values()
    print(f"\n{passed} checks passed, {failed} failed, {left} were not run.")
    return 1 if told.counts["FAILED"] else 0


def _check_sandbox(gpu: NvidiaGpu, told: Told, measure: Callable[..., str]) -> None:
    exercise = exercise_of(load_challenges()["mha-rope"])
    before = gpu.used_bytes()
    with ExitStack() as running:
        try:
            runner = running.enter_context(private_runner(device="cuda"))
        except SandboxUnavailable as error:
            sentence = str(error)
            told.run(STARTING, lambda: _fail(f"{sentence}\n{explain()}"))
            for name in (EMPTY_ZYGOTE, *IN_SANDBOX, FIGURES[True]):
                told.run(name, _without_sandbox)
            return
        told.run(STARTING, lambda: runner.description)
        told.run(EMPTY_ZYGOTE, lambda: _holds_little(gpu.used_bytes() - before))

        def device() -> Device:
            found = runner.device
            assert found is not None
            return found

        bench = Bench(exercise, runner, device, gpu.used_bytes, before)
        for name, check in IN_SANDBOX.items():
            if not told.run(name, lambda check=check: check(bench)) and check is ready_child_has_its_context:
                print(explain())
        told.run(FIGURES[True], lambda: measure(is_confined=True, find=lambda: figures(exercise, runner, device)))


def _fail(detail: str) -> str:
    raise Failed(detail)


def _without_sandbox() -> str:
    raise NotRun("the sandbox did not start")


def _holds_little(held: int) -> str:
    require(held <= SLACK_BYTES, f"{held >> 20} MiB are taken since the runner started")
    return f"{held >> 20} MiB more than before"


def machine(gpu: NvidiaGpu) -> str:
    """Describes what the figures were measured on, in one line."""
    torch = version("torch")
    return (
        f"{platform.node()}: {gpu.name}, {gpu.total_bytes / 1e9:.1f} GB, driver {gpu.driver}, torch {torch}, "
        f"Python {platform.python_version()}, Linux {platform.release()}, {time.strftime('%Y-%m-%d')}"
    )


if __name__ == "__main__":
    sys.exit(main())
