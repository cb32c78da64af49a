"""How far a time ratio is from 1 where the code is the same: python -m benchmarks.timing_noise [--repeats 50]

The plain right answer of each exercise, graded as a submission, again and again: roughly, as a judge measures it, and
always in turns. The plain answer's kept figures are renewed every five times, so that their noise is in here too.
"""

import argparse
import sys
import time

import torch

from grader.challenge import Challenge, load_challenges
from grader.comparison.baselines import Baselines
from grader.efficiency_report import Efficiency
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Executor
from worker.private_runner import private_runner

KEPT_FOR = 5


def measured(challenge: Challenge, seed: int, runner: Executor, baselines: Baselines | None) -> Efficiency:
    report = grade(challenge, exercise_of(challenge).baseline(), seed, runner, is_guided=False, baselines=baselines)
    assert report.efficiency is not None, report.summary
    return report.efficiency


def spread(ratios: list[float]) -> str:
    """The least, the 5th percentile, the median, the 95th percentile, and the most."""
    ratios = sorted(ratios)
    places = (0, 0.05, 0.5, 0.95, 1)
    return " ".join(f"{ratios[round(place * (len(ratios) - 1))]:.2f}" for place in places) if ratios else "-"


def row(challenge: Challenge, runner: Executor, repeats: int) -> str:
    rough, turned, closer = [], [], 0
    for repeat in range(repeats):
        if repeat % KEPT_FOR == 0:
            baselines = Baselines(time.monotonic)
        judged = measured(challenge, 100 + repeat, runner, baselines)
        closer += not judged.is_rough
        if judged.is_rough and judged.time_ratio:
            rough.append(judged.time_ratio)
        turned.append(measured(challenge, 100 + repeat, runner, None).time_ratio or 0.0)
    return f"| {challenge.slug} | {spread(rough)} | {closer} of {repeats} | {spread(turned)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--only", nargs="+", default=(), help="exercises")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print("| least, 5 %, median, 95 %, most | rough ratios | measured in turns after all | ratios in turns |")
    print("|---|---|---|---|")
    with private_runner(sessions=2) as runner:
        for slug, challenge in load_challenges().items():
            if not asked.only or slug in asked.only:
                print(row(challenge, runner, asked.repeats), flush=True)


if __name__ == "__main__":
    sys.exit(main())
