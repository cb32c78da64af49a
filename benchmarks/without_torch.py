"""What a zygote without torch would save: python -m benchmarks.without_torch [--rounds 40] [--starts 3] [--reports 8]

Two zygotes, in turns: the one that serves every exercise, and one in which nothing of torch is imported. There each of
its names is an empty class, so it answers no call, but it starts, seals itself and forks children behind the same
walls: the least that a second kind of zygote could cost. Beside it, what a whole report takes of the exercises that
need no torch. Files count nowhere in memory.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import torch

from benchmarks.growth import held_mib, own_mib
from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Executor
from grader.guest.limits import Limits
from grader.report import Verdict
from worker.private_runner import private_runner
from worker.sandbox import zygote_client
from worker.sandbox.cgroups import pid_of
from worker.sandbox.zygote_client import Zygote, standard_options

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "exercises"
NEED_NO_TORCH = ("bpe", "lr-schedule")
# Run in the zygote before it imports anything: torch, and what imports torch, are names without anything behind them.
WITHOUT_TORCH = """
import sys, types
from importlib.machinery import ModuleSpec

OF_TENSORS = ("__array__", "__dlpack__", "__reduce_ex__")

class Kind(type):
    __file__ = "torch"

    def __getattr__(cls, name):
        if name.startswith("__") and name not in OF_TENSORS:
            raise AttributeError(name)
        return Kind(name, (), {})

    def __call__(cls, *given, **named):
        return given[0] if given and not named else cls

    def __getitem__(cls, other):
        return cls

    def __or__(cls, other):
        return cls

    __ror__ = __or__

class Empty(types.ModuleType):
    __path__ = []
    __file__ = "torch"
    __getattr__ = Kind.__getattr__

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "safetensors", "einops"):
            return ModuleSpec(name, self)

    def create_module(self, spec):
        return Empty(spec.name)

    def exec_module(self, module):
        pass

sys.meta_path.insert(0, Finder())
import numpy
from worker.sandbox import zygote
zygote.warm_up = lambda **_: None
"""
MAIN = "from worker.sandbox.zygote import main; "
# The zygote's starter writes its program and runs it with `execve`: there the lines above are put first.
START_WITHOUT = f"""
import os, sys
sys.path.append(sys.argv.pop(1))
execve, before = os.execve, "exec(" + repr({WITHOUT_TORCH!r}) + "); " + {MAIN!r}
os.execve = lambda path, words, variables: execve(path, [word.replace({MAIN!r}, before) for word in words], variables)
from worker.sandbox.launch import main
main()
"""
STARTS = {"with torch": zygote_client._BOOTSTRAP, "without": START_WITHOUT}


@dataclass
class Taken:
    """Milliseconds of each start and each child, MiB of the zygote and of each child."""

    starts_ms: list[float] = field(default_factory=list)
    children_ms: list[float] = field(default_factory=list)
    zygote_mib: float = 0.0
    child_mib: list[float] = field(default_factory=list)

    def row(self, kind: str) -> str:
        start, ready = statistics.median(self.starts_ms), statistics.median(self.children_ms)
        child = statistics.median(self.child_mib)
        return f"| {kind} | {start / 1000:.2f} s | {self.zygote_mib:.0f} MiB | {ready:.1f} ms | {child:.1f} MiB |"


@contextmanager
def running(kind: str, taken: Taken) -> Iterator[Zygote]:
    since = time.perf_counter()
    with mock.patch.object(zygote_client, "_BOOTSTRAP", STARTS[kind]):
        zygote = Zygote.start(standard_options())
    taken.starts_ms.append(1000 * (time.perf_counter() - since))
    try:
        yield zygote
    finally:
        zygote.stop()


def family_of(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family_of(int(child)))]


def make_child(zygote: Zygote, taken: Taken) -> None:
    """From the request until it is confined and has said so."""
    since = time.perf_counter()
    child = zygote.spawn(Limits())
    while not child.results.has_data():
        time.sleep(0.0001)
    taken.children_ms.append(1000 * (time.perf_counter() - since))
    taken.child_mib.append(held_mib(pid_of(child.pidfd), "Private_Dirty"))
    child.close()


def compare(starts: int, rounds: int) -> None:
    kinds = {kind: Taken() for kind in STARTS}
    for _ in range(starts - 1):
        for kind, taken in kinds.items():
            with running(kind, taken):
                pass
    with running("with torch", kinds["with torch"]) as one, running("without", kinds["without"]) as other:
        for zygote, taken in zip((one, other), kinds.values(), strict=True):
            taken.zygote_mib = sum(map(own_mib, family_of(zygote._process.pid)))
        for _ in range(rounds):
            for zygote, taken in zip((one, other), kinds.values(), strict=True):
                make_child(zygote, taken)
    print("| zygote | starts in | holds | a child is ready in | shares with nobody |\n|---|---|---|---|---|")
    for kind, taken in kinds.items():
        print(taken.row(kind))


def report_ms(challenge: Challenge, runner: Executor, reports: int) -> float:
    """The median time of a right answer's whole report."""
    took = []
    for seed in range(reports):
        since = time.perf_counter()
        report = grade(challenge, exercise_of(challenge).baseline(), seed, runner)
        took.append(1000 * (time.perf_counter() - since))
        assert report.verdict is Verdict.PASSED, report.summary
    return statistics.median(took[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--reports", type=int, default=8)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    compare(asked.starts, asked.rounds)
    challenges = load_challenges(EXAMPLES)
    print("\n| exercise | a right answer's report |\n|---|---|")
    with private_runner(sessions=2) as runner:
        for slug in NEED_NO_TORCH:
            print(f"| {slug} | {report_ms(challenges[slug], runner, asked.reports):.0f} ms |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
