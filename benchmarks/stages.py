"""Where the time of one grading goes: python -m benchmarks.stages [--submission FILE] [--rounds 20]

Wall and processor time of the steps of the judge; what its sandbox takes is in the wall time of `session`. A step
counts what it calls. A profiler would disturb what it measures: the rules watch through the interpreter's own hook.
"""

import argparse
import functools
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch

import grader.comparison.scorer as marking
import grader.grade as grading
from grader.challenge import load_challenges
from grader.comparison.baselines import Baselines
from grader.exercise import Exercise, exercise_of
from grader.guest.submission import Submission
from worker.judge import settle_heap
from worker.private_runner import private_runner
from worker.runner_client import _Session

STEPS: tuple[tuple[Any, str, str], ...] = (
    (grading, "grade", "all"),
    (Exercise, "paper", "draw the paper"),
    (Exercise, "expected", "the reference in float64"),
    (_Session, "inspect", "session: read the source"),
    (_Session, "load", "session: import it"),
    (_Session, "_outcome", "session: outcomes of calls"),
    (marking, "compare", "compare"),
    (grading, "judge_rules", "rules"),
    (grading.Scrutiny, "revised", "scrutiny of what is right"),
    (grading, "diagnose", "diagnosis"),
    (grading, "guide", "guidance"),
    (grading, "remarks", "remarks"),
    (grading, "time_workload", "efficiency: in the session of the paper"),
    (Baselines, "plain", "efficiency: what is kept of the plain answer"),
    (grading, "measure_efficiency", "efficiency: in turns"),
)


class Clock:
    """Wraps functions where they are looked up, and adds up what they take."""

    def __init__(self) -> None:
        self.taken: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def watch(self, owner: Any, name: str, label: str) -> None:
        function = getattr(owner, name)

        @functools.wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            wall, cpu = time.perf_counter(), time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                self.taken[label].append((time.perf_counter() - wall, time.thread_time() - cpu))

        setattr(owner, name, timed)

    def table(self, rounds: int) -> None:
        print("| step | times | wall | processor of the judge |\n|---|---|---|---|")
        for _, _, label in STEPS:
            taken = self.taken[label]
            if taken:
                wall, cpu = (1000 * sum(column) / rounds for column in zip(*taken, strict=True))
                print(f"| {label} | {len(taken) / rounds:.0f} | {wall:.1f} ms | {cpu:.1f} ms |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="mha-rope")
    parser.add_argument("--submission", type=Path, help="a plain right answer if not given")
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    challenge = load_challenges()[asked.challenge]
    submission = exercise_of(challenge).baseline()
    if asked.submission is not None:
        path = challenge.manifest.default_path
        submission = Submission(path, {path: asked.submission.read_bytes()})
    baselines = Baselines(time.monotonic)
    clock = Clock()
    for step in STEPS:
        clock.watch(*step)
    with private_runner(sessions=2) as runner:
        for seed in range(3):
            grading.grade(challenge, submission, seed, runner, baselines=baselines)
        clock.taken.clear()
        settle_heap()  # as a judge does
        times = []
        for seed in range(100, 100 + asked.rounds):
            started = time.perf_counter()
            report = grading.grade(challenge, submission, seed, runner, baselines=baselines)
            times.append(time.perf_counter() - started)
    print(f"{report.verdict}: median {statistics.median(times):.3f} s, slowest {max(times):.3f} s\n")
    clock.table(asked.rounds)


if __name__ == "__main__":
    sys.exit(main())
