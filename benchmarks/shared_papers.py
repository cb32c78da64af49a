"""What a judge would save if several students sat one paper: python -m benchmarks.shared_papers [--rounds 6]

In turns, in ms of processor time: the reports of right answers that sit a paper each, and of as many that sit the same
one. Drawing it, and the reference's answers to it, are then work for the first alone. What the runner and the sandbox
do is the same in both, and is shown so that the saving can be told as a share of all work.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterable
from itertools import count

import torch

from benchmarks.ratio import Work, reported, used_s
from grader.challenge import Challenge, load_challenges
from grader.comparison.baselines import Baselines
from worker.judge import settle_heap
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

STUDENTS = 4  # who would sit one paper


def row(challenge: Challenge, runner: RunnerClient, rounds: int) -> str:
    report = reported(challenge, runner, Baselines(time.monotonic))
    seeds = count(100)
    report(next(seeds))()
    settle_heap()  # as a judge does
    apart, shared = [], []
    for _ in range(rounds):
        apart.append(used_by(report(next(seeds)) for _ in range(STUDENTS)))
        seed = next(seeds)
        shared.append(used_by(report(seed) for _ in range(STUDENTS)))
    (judge, others), (judge_shared, others_shared) = (
        [statistics.median(each) for each in zip(*times, strict=True)] for times in (apart, shared)
    )
    saved = 1 - (judge_shared + others_shared) / (judge + others)
    return f"| {challenge.slug} | {judge:.0f} + {others:.0f} | {judge_shared:.0f} + {others_shared:.0f} | {saved:.0%} |"


def used_by(reports: Iterable[Work]) -> tuple[float, float]:
    """Milliseconds of the judge and of all others for one of these."""
    before = used_s()
    for report in reports:
        report()
    judge, others = (later - earlier for earlier, later in zip(before, used_s(), strict=True))
    return 1000 * judge / STUDENTS, 1000 * others / STUDENTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--only", nargs="+", default=(), help="exercises")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print(f"| | a paper each: judge + others | one for {STUDENTS} | saved of all work |\n|---|---|---|---|")
    with private_runner(sessions=2) as runner:
        for slug, challenge in load_challenges().items():
            if not asked.only or slug in asked.only:
                print(row(challenge, runner, asked.rounds), flush=True)


if __name__ == "__main__":
    sys.exit(main())
