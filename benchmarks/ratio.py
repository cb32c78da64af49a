"""Processor time of a right answer, of all processes: python -m benchmarks.ratio [--rounds 20] [--only SLUG ...]

For each exercise, in turns: its plain right answer with the calls of a paper in this process, the same calls in a
session of the sandbox, and the whole report, with efficiency always timed in turns and as a judge does it. The session
and the reports are told as multiples of the answer's own work, too. Each has papers of its own.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import torch

from grader.challenge import Challenge, load_challenges
from grader.comparison.baselines import Baselines
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Executor
from grader.inprocess import InProcess
from grader.report import Verdict
from worker.judge import settle_heap
from worker.private_runner import private_runner

TICKS = os.sysconf("SC_CLK_TCK")
AT_A_TIME = 4  # the kernel tells the time of others in hundredths of a second
REFILL_S = 0.2  # the sandbox forks the next child when one has been taken
Work = Callable[[], object]
Prepare = Callable[[int], Work]


def ran(challenge: Challenge, execute: Executor) -> Prepare:
    """The calls of a paper and nothing else: that it is drawn is no work of the answer's."""
    exercise = exercise_of(challenge)

    def prepare(seed: int) -> Work:
        calls = [case.call for case in exercise.paper(seed).cases]
        return lambda: execute.run(exercise.baseline(), calls, challenge.manifest.session_limits)

    return prepare


def reported(challenge: Challenge, execute: Executor, baselines: Baselines | None) -> Prepare:
    """Everything that a student gets."""
    submission = exercise_of(challenge).baseline()

    def work(seed: int) -> None:
        report = grade(challenge, submission, seed, execute, baselines=baselines)
        assert report.verdict is Verdict.PASSED, report.summary

    return lambda seed: lambda: work(seed)


def descendants() -> Iterator[int]:
    """The runner, its zygotes and their children."""
    waiting = [os.getpid()]
    while waiting:
        for children in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            found = [int(pid) for pid in children.read_text().split()]
            waiting += found
            yield from found


def others_s() -> float:
    """What they have used so far, those that have ended included."""
    used = 0
    for pid in descendants():
        try:
            used += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
        except OSError:  # it has ended, and counts as its parent's
            continue
    return used / TICKS


def used_s() -> tuple[float, float]:
    """By this process and by the others."""
    time.sleep(REFILL_S)
    return time.process_time(), others_s()


def row(challenge: Challenge, runner: Executor, rounds: int) -> str:
    baselines = Baselines(time.monotonic)
    kinds = (
        ran(challenge, InProcess()),
        ran(challenge, runner),
        reported(challenge, runner, None),
        reported(challenge, runner, baselines),
    )
    seeds = count(100)
    for kind in kinds:
        kind(next(seeds))()
    settle_heap()  # as a judge does
    taken = [[0.0, 0.0] for _ in kinds]
    for _ in range(rounds // AT_A_TIME):
        for kind, sums in zip(kinds, taken, strict=True):
            works = [kind(next(seeds)) for _ in range(AT_A_TIME)]
            before = used_s()
            for work in works:
                work()
            for index, (earlier, later) in enumerate(zip(before, used_s(), strict=True)):
                sums[index] += later - earlier
    (own, _), session, in_turns, report = ([1000 * each / rounds for each in sums] for sums in taken)
    return (
        f"| {challenge.slug} | {own:.0f} | {sum(session):.0f} | {in_turns[0]:.0f} + {in_turns[1]:.0f} | "
        f"{report[0]:.0f} + {report[1]:.0f} | {sum(session) / own:.1f} | {sum(in_turns) / own:.1f} | "
        f"{sum(report) / own:.1f} |"
    )


def main() -> None:
    asked = _arguments()
    torch.set_num_threads(1)
    print(
        "| ms of processor time | own code, in process | in a session | report, always in turns: judge + others | "
        "report: judge + others | session / own | always in turns / own | report / own |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with private_runner(sessions=2) as runner:
        for slug, challenge in load_challenges().items():
            if not asked.only or slug in asked.only:
                print(row(challenge, runner, asked.rounds), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help=f"a multiple of {AT_A_TIME}")
    parser.add_argument("--only", nargs="+", default=(), help="exercises")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
