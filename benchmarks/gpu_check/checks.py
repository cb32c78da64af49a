"""What must hold in a sandbox with a GPU. Knows no CUDA: tests put a CPU in the GPU's place."""

import time
from collections.abc import Callable
from typing import Final

from benchmarks.gpu_check.bench import Bench, NotRun, require

SLOW: Final = """time.sleep(0.3 if kwargs["in_features"].numel() > 1 << 16 else 0)"""
BOMB: Final = "held = [torch.empty(1 << 28, device=device) for _ in range(1 << 20)]"
ENDLESS: Final = """x = torch.randn(4096, 4096, device=device)
    while True: x = x @ x"""
# Of CUDA alone: the context is lost with it.
LOST_CONTEXT: Final = """torch.zeros(3, device=device)[torch.tensor([1 << 30], device=device)].sum().item()"""


def plain_is_even(bench: Bench) -> str:
    """Times the plain answer beside itself: any ratio but about 1 means that the measure is no good."""
    report = bench.stage(bench.exercise.baseline())
    require(report.is_right, report.message)
    require(report.time is not None, report.message)
    assert report.time is not None
    require(1 / bench.even <= report.time.median <= bench.even, f"{report.time.median:.2f} times its own time")
    return f"{report.time.median:.2f} times its own time ({report.time.least:.2f} to {report.time.most:.2f})"


def mistakes_are_found(bench: Bench) -> str:
    """Grades four known mistakes, which must pass in no dtype."""
    names = ("missing-scale", "rope-on-v", "missing-transpose-back", "softmax-dim")
    for mistake in (each for each in bench.exercise.misconceptions if each.name in names):
        report = bench.stage(bench.exercise.submission_with(mistake))
        passed = [tests.dtype for tests in report.tests if tests.passed == tests.total]
        require(not passed, f"{mistake.name} passes in {', '.join(passed)}")
        require("raised" not in report.message, report.message)  # a wrong value is what is looked for
    return ", ".join(names)


def slowness_is_seen(bench: Bench) -> str:
    """Sleeps in each timed call, which must show in the ratio."""
    report = bench.stage(bench.spoiled(SLOW))
    require(report.time is not None and report.time.median > 1.1, report.message)
    assert report.time is not None
    return f"0.3 s of sleep in each call: {report.time.median:.2f} times the time"


def another_device_is_told(bench: Bench) -> str:
    """The commonest mistake of code that was only run on a CPU."""
    if bench.device().kind == "cpu":
        raise NotRun("on a CPU nothing lies on another device")
    report = bench.stage(bench.spoiled("kwargs['token_positions'] = None; return _right(**kwargs).cpu()"))
    require("on cpu, but its input is on cuda" in report.message, report.message)
    return "told in a sentence"


def bomb_is_defused(bench: Bench) -> str:
    """Takes all of the GPU's memory, and expects it to be free afterwards."""
    report = bench.stage(bench.spoiled(BOMB))
    require(not report.is_right, "it passed")
    return f"{report.message[:160]} ({bench.await_clean()})"


def endless_is_stopped(bench: Bench) -> str:
    """Multiplies for ever, and expects to be stopped in time."""
    started = time.monotonic()
    report = bench.stage(bench.spoiled(ENDLESS), wall_s=bench.patience_s)
    require("did not finish within" in report.message, report.message)
    return f"stopped after {time.monotonic() - started:.1f} s ({bench.await_clean()})"


def lost_context_harms_nobody(bench: Bench) -> str:
    """Breaks the process's CUDA context, and expects the next session to be as fast as ever."""
    if bench.device().kind == "cpu":
        raise NotRun("a CPU has no context")
    report = bench.stage(bench.spoiled(LOST_CONTEXT))
    require(not report.is_right, "it passed")
    return f"the next one: {plain_is_even(bench)}"


def killed_child_leaves_nothing(bench: Bench) -> str:
    """Ends the child in the middle of a call, and expects the GPU to be free afterwards."""
    report = bench.stage(bench.spoiled("os._exit(3)"))
    require("ended the process itself" in report.message, report.message)
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
    "a warm child has its context already": ready_child_has_its_context,
    "the plain answer beside itself": plain_is_even,
    "mistakes are found in float32 and in bfloat16": mistakes_are_found,
    "a slow answer has a higher ratio": slowness_is_seen,
    "a result left on another device": another_device_is_told,
    "a bomb of the GPU's memory": bomb_is_defused,
    "endless work on the GPU": endless_is_stopped,
    "a context that is lost": lost_context_harms_nobody,
    "a child that ends itself": killed_child_leaves_nothing,
}
