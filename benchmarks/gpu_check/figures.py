"""What right answers cost on the GPU, with and without a sandbox: a table for docs/gpu.md."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.gpu_check.bench import SEED, Failed
from grader.challenge import load_challenges
from grader.exercise import Exercise, exercise_of
from grader.gpu_report import GpuReport
from grader.gpu_stage import run_gpu_stage
from grader.guest.execution import Device, Executor
from grader.inprocess import InProcess

IN_PROCESS: Final = "--in-process"


def figures(exercise: Exercise, execute: Executor, device: Callable[[], Device]) -> dict[str, GpuReport]:
    """Runs the stage for every accepted answer, and for one with a loop over the heads."""
    answers = {variant.name: variant.submission for variant in exercise.variants("accepted")}
    loop = next(mistake for mistake in exercise.misconceptions if mistake.name == "loop-over-heads")
    answers[loop.name] = exercise.submission_with(loop)
    return {name: run_gpu_stage(exercise, submission, SEED, execute, device()) for name, submission in answers.items()}


def table(title: str, reports: dict[str, GpuReport]) -> Iterator[str]:
    """Writes the reports as a table in Markdown, line by line."""
    size = next((report.size for report in reports.values() if report.size), "nothing was timed")
    yield f"\n### {title}\n\n{size}; time and memory as ratios to the plain right answer\n"
    yield "| answer | right in | time | by the GPU's events | memory | seconds | GB |"
    yield "|---|---|---|---|---|---|---|"
    for name, report in reports.items():
        right = ", ".join(tests.dtype for tests in report.tests if tests.passed == tests.total) or "nothing"
        ratios = [
            "-" if spread is None else f"{spread.median:.2f} ({spread.least:.2f} to {spread.most:.2f})"
            for spread in (report.time, report.device_time)
        ]
        memory = "-" if report.memory_ratio is None else f"{report.memory_ratio:.2f}"
        seconds = "-" if report.seconds is None else f"{report.seconds:.3f}"
        held = "-" if report.memory_bytes is None else f"{report.memory_bytes / 1e9:.1f}"
        yield f"| `{name}` | {right} | {ratios[0]} | {ratios[1]} | {memory} | {seconds} | {held} |"
    for name, report in reports.items():
        if not report.is_right or report.time is None:
            yield f"\n`{name}`: {report.message}"


def without_sandbox() -> int:
    """Prints the reports as JSON, by answer. Needs a process of its own: the one that checks must hold no context."""
    import torch  # noqa: PLC0415  this process alone takes the GPU

    free_bytes, _ = torch.cuda.mem_get_info()
    device = Device("cuda", torch.cuda.get_device_name(0), free_bytes)
    found = figures(exercise_of(load_challenges()["mha-rope"]), InProcess(), lambda: device)
    print(json.dumps({name: report.model_dump(mode="json") for name, report in found.items()}))
    return 0


def in_a_process_of_its_own() -> dict[str, GpuReport]:
    """Measures as `without_sandbox` does, in another process. Raises Failed with that one's last words."""
    command = [sys.executable, "-m", "benchmarks.gpu_check", IN_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    if done.returncode != 0:
        raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")
    return {name: GpuReport.model_validate(report) for name, report in json.loads(done.stdout).items()}
