"""The GPU stage and its sandbox on this machine's card, whole: `make gpu-check`. docs/gpu.md says what it needs.

Ends 0 when every check passed, 1 when one failed, 77 when none could be run for want of a card. Prints a table for
docs/gpu.md. The checks themselves know no CUDA: tests put a CPU in the card's place.
"""

import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchmarks.gpu_layers import explain
from grader.challenge import load_challenges
from grader.execution import Device, Executor, SandboxUnavailable
from grader.exercise import Exercise, exercise_of
from grader.gpu_report import GpuReport
from grader.gpu_stage import LIMITS, run_gpu_stage
from grader.inprocess import InProcess
from grader.limits import Limits
from grader.submission import Submission
from worker.card import NvidiaCard, open_card
from worker.card_keeper import SLACK_BYTES
from worker.private_runner import private_runner
from worker.sandbox.backend import SandboxError
from worker.sandbox.gpu import NoGpuError, find_gpu
from worker.sandbox.packages import standard_tree

NO_GPU: Final = 77
IN_PROCESS: Final = "--in-process"
SEED: Final = 7
CLEAN_S: Final = 10.0
# A child that waits holds this much of the card at most: more, and something was left there.
CONTEXT_BYTES: Final = 2 << 30
WRAPPER: Final = """

import functools, inspect, os, time
_right = multihead_self_attention_with_rope

@functools.wraps(_right)
def multihead_self_attention_with_rope(*args, **kwargs):
    kwargs = inspect.signature(_right).bind(*args, **kwargs).arguments
    device = kwargs["in_features"].device
    {what}
    return _right(**kwargs)
"""
SLOW: Final = """time.sleep(0.3 if kwargs["in_features"].numel() > 1 << 16 else 0)"""
BOMB: Final = "held = [torch.empty(1 << 28, device=device) for _ in range(1 << 20)]"
ENDLESS: Final = """x = torch.randn(4096, 4096, device=device)
    while True: x = x @ x"""
# Of CUDA alone: the context is lost with it.
LOST_CONTEXT: Final = """torch.zeros(3, device=device)[torch.tensor([1 << 30], device=device)].sum().item()"""


class Failed(Exception):
    """What a check found instead."""


class NotRun(Exception):
    """Why a check cannot be run here."""


@dataclass
class Bench:
    """What the checks work with: a card with its sandbox, or what a test puts in their place."""

    exercise: Exercise
    execute: Executor
    device: Callable[[], Device]
    used_bytes: Callable[[], int]
    resting_bytes: int
    limits: Limits = LIMITS
    even: float = 1.25  # how far off its own time the plain answer may be: further, and the measure is no good
    patience_s: float = 10.0

    def stage(self, submission: Submission, **limits: float) -> GpuReport:
        allowed = replace(self.limits, **limits)
        return run_gpu_stage(self.exercise, submission, SEED, self.execute, self.device(), allowed)

    def spoiled(self, what: str) -> Submission:
        """The plain right answer, and this in each of its calls."""
        right = self.exercise.baseline()
        return replace(right, files={right.main: right.source + WRAPPER.format(what=what).encode()})

    def await_clean(self) -> str:
        """Raises Failed when more of the card stays taken than a child that waits may hold."""
        deadline = time.monotonic() + CLEAN_S
        while (held := self.used_bytes() - self.resting_bytes) > CONTEXT_BYTES:
            if time.monotonic() > deadline:
                raise Failed(f"{held >> 20} MiB of the card are still taken {CLEAN_S:.0f} s later")
            time.sleep(0.1)
        return f"then {held >> 20} MiB of the card are taken"


# --- checks in the sandbox -------------------------------------------------------------------------------------------


def plain_is_even(bench: Bench) -> str:
    report = bench.stage(bench.exercise.baseline())
    _require(report.is_right, report.message)
    _require(report.time is not None, report.message)
    assert report.time is not None
    _require(1 / bench.even <= report.time.median <= bench.even, f"{report.time.median:.2f} times its own time")
    return f"{report.time.median:.2f} times its own time ({report.time.least:.2f} to {report.time.most:.2f})"


def mistakes_are_found(bench: Bench) -> str:
    names = ("missing-scale", "rope-on-v", "missing-transpose-back", "softmax-dim")
    for mistake in (each for each in bench.exercise.misconceptions if each.name in names):
        report = bench.stage(bench.exercise.submission_with(mistake))
        passed = [tests.dtype for tests in report.tests if tests.passed == tests.total]
        _require(not passed, f"{mistake.name} passes in {', '.join(passed)}")
    return ", ".join(names)


def slowness_is_seen(bench: Bench) -> str:
    report = bench.stage(bench.spoiled(SLOW))
    _require(report.time is not None and report.time.median > 1.1, report.message)
    assert report.time is not None
    return f"0.3 s of sleep in each call: {report.time.median:.2f} times the time"


def another_device_is_told(bench: Bench) -> str:
    """The commonest mistake of code that was only run on a CPU."""
    if bench.device().kind == "cpu":
        raise NotRun("on a CPU nothing lies on another device")
    report = bench.stage(bench.spoiled("kwargs['token_positions'] = None; return _right(**kwargs).cpu()"))
    _require("on cpu, while its input is on cuda" in report.message, report.message)
    return "told in a sentence"


def bomb_is_defused(bench: Bench) -> str:
    report = bench.stage(bench.spoiled(BOMB))
    _require(not report.is_right, "it passed")
    return f"{report.message[:160]} ({bench.await_clean()})"


def endless_is_stopped(bench: Bench) -> str:
    started = time.monotonic()
    report = bench.stage(bench.spoiled(ENDLESS), wall_s=bench.patience_s)
    _require("did not come to its end" in report.message, report.message)
    return f"stopped after {time.monotonic() - started:.1f} s ({bench.await_clean()})"


def lost_context_harms_nobody(bench: Bench) -> str:
    if bench.device().kind == "cpu":
        raise NotRun("a CPU has no context")
    report = bench.stage(bench.spoiled(LOST_CONTEXT))
    _require(not report.is_right, "it passed")
    return f"the next one: {plain_is_even(bench)}"


def killed_child_leaves_nothing(bench: Bench) -> str:
    report = bench.stage(bench.spoiled("os._exit(3)"))
    _require("ended the process itself" in report.message, report.message)
    return bench.await_clean()


def ready_child_has_its_context(bench: Bench) -> str:
    """How long a session takes to begin: cold, and with a child that has waited."""
    seconds = []
    for pause_s in (0.0, 15.0):
        time.sleep(pause_s if bench.device().kind != "cpu" else 0.0)
        started = time.monotonic()
        with bench.execute.open(bench.exercise.baseline(), bench.limits) as session:
            session.load()
            seconds.append(time.monotonic() - started)
    return f"cold {seconds[0]:.2f} s, ready {seconds[1]:.2f} s"


IN_SANDBOX: Final[dict[str, Callable[[Bench], str]]] = {
    "a child that waits has its context already": ready_child_has_its_context,
    "the plain answer beside itself": plain_is_even,
    "mistakes are found in float32 and in bfloat16": mistakes_are_found,
    "a slow answer has a higher ratio": slowness_is_seen,
    "a result left on another device": another_device_is_told,
    "a bomb of the card's memory": bomb_is_defused,
    "endless work on the card": endless_is_stopped,
    "a context that is lost": lost_context_harms_nobody,
    "a child that ends itself": killed_child_leaves_nothing,
}
STARTING: Final = "the sandbox starts with the card, and passes its self-test"
EMPTY_ZYGOTE: Final = "the zygote holds nothing of the card"
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


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)


# --- figures ---------------------------------------------------------------------------------------------------------


def figures(exercise: Exercise, execute: Executor, device: Callable[[], Device]) -> dict[str, GpuReport]:
    """Of every accepted answer, and of one with a loop over the heads."""
    answers = {variant.name: variant.submission for variant in exercise.variants("accepted")}
    loop = next(mistake for mistake in exercise.misconceptions if mistake.name == "loop-over-heads")
    answers[loop.name] = exercise.submission_with(loop)
    return {name: run_gpu_stage(exercise, submission, SEED, execute, device()) for name, submission in answers.items()}


def table(title: str, reports: dict[str, GpuReport]) -> Iterator[str]:
    size = next((report.size for report in reports.values() if report.size), "nothing was timed")
    yield f"\n### {title}\n\n{size}; time and memory as ratios to the plain right answer\n"
    yield "| answer | right in | time | by the card's events | memory | seconds | GB |"
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
    """In a process of its own, so that the one which checks holds no context: the reports as JSON, by answer."""
    import torch  # noqa: PLC0415  this process alone takes the card

    free_bytes, _ = torch.cuda.mem_get_info()
    device = Device("cuda", torch.cuda.get_device_name(0), free_bytes)
    found = figures(exercise_of(load_challenges()["mha-rope"]), InProcess(), lambda: device)
    print(json.dumps({name: report.model_dump(mode="json") for name, report in found.items()}))
    return 0


def _in_a_process_of_its_own() -> dict[str, GpuReport]:
    command = [sys.executable, "-m", "benchmarks.gpu_check", IN_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    if done.returncode != 0:
        raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")
    return {name: GpuReport.model_validate(report) for name, report in json.loads(done.stdout).items()}


# --- the whole -------------------------------------------------------------------------------------------------------


class Told:
    """Prints each check as it ends, and counts."""

    def __init__(self) -> None:
        self.counts = {"ok": 0, "FAILED": 0, "NOT RUN": 0}

    def run(self, name: str, check: Callable[[], str]) -> bool:
        state, detail = run_check(check)
        self.counts[state] += 1
        print(f"{state:8} {name}: {detail}", flush=True)
        return state == "ok"


def here() -> NvidiaCard:
    """Raises NotRun with the reason why nothing can be checked."""
    try:
        card = open_card(find_gpu(standard_tree().folders).number)
    except (NoGpuError, SandboxError) as error:
        raise NotRun(str(error)) from error
    command = [sys.executable, "-c", "import torch; torch.zeros(1, device='cuda')"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:]
        raise NotRun(f"torch of {sys.executable} makes no CUDA context: {' '.join(last)}")
    return card


def main() -> int:
    if IN_PROCESS in sys.argv:
        return without_sandbox()
    try:
        card = here()
    except NotRun as reason:
        print(f"No GPU can be used: {reason}\n\nThese {len(ALL)} checks were NOT RUN:")
        print("\n".join(f"  {name}" for name in ALL))
        return NO_GPU
    print(f"{machine(card)}\n")
    told, tables = Told(), []

    def measure(*, is_confined: bool, find: Callable[[], dict[str, GpuReport]]) -> str:
        reports = find()
        tables.extend(table(f"{card.name}, {'in the sandbox' if is_confined else 'without a sandbox'}", reports))
        wrong = [name for name, report in reports.items() if not report.is_right]
        _require(not wrong, f"not right: {', '.join(wrong)}")
        times = [report.time.median for report in reports.values() if report.time is not None]
        return f"{len(reports)} answers, {min(times):.2f} to {max(times):.2f} times the plain one's time"

    told.run(FIGURES[False], lambda: measure(is_confined=False, find=_in_a_process_of_its_own))
    _check_sandbox(card, told, measure)
    print("\n".join(["", machine(card), *tables]))
    passed, failed, left = told.counts.values()
    print(f"\n{passed} checks passed, {failed} failed, {left} were not run.")
    return 1 if told.counts["FAILED"] else 0


def _check_sandbox(card: NvidiaCard, told: Told, measure: Callable[..., str]) -> None:
    exercise = exercise_of(load_challenges()["mha-rope"])
    before = card.used_bytes()
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
        told.run(EMPTY_ZYGOTE, lambda: _holds_little(card.used_bytes() - before))

        def device() -> Device:
            found = runner.device
            assert found is not None
            return found

        bench = Bench(exercise, runner, device, card.used_bytes, before)
        for name, check in IN_SANDBOX.items():
            if not told.run(name, lambda check=check: check(bench)) and check is ready_child_has_its_context:
                print(explain())
        told.run(FIGURES[True], lambda: measure(is_confined=True, find=lambda: figures(exercise, runner, device)))


def _fail(detail: str) -> str:
    raise Failed(detail)


def _without_sandbox() -> str:
    raise NotRun("the sandbox did not start")


def _holds_little(held: int) -> str:
    _require(held <= SLACK_BYTES, f"{held >> 20} MiB are taken since the runner started")
    return f"{held >> 20} MiB more than before"


def machine(card: NvidiaCard) -> str:
    torch = version("torch")
    return (
        f"{platform.node()}: {card.name}, {card.total_bytes / 1e9:.1f} GB, driver {card.driver}, torch {torch}, "
        f"Python {platform.python_version()}, Linux {platform.release()}, {time.strftime('%Y-%m-%d')}"
    )


if __name__ == "__main__":
    sys.exit(main())
