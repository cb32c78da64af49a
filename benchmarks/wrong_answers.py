"""Processor time of a right answer, of one that is wrong in a known way, and of one that is wrong in a way that nobody
knows: python -m benchmarks.wrong_answers [--challenge SLUG] [--rounds 5]

In turns, each round with a paper of its own. The judge's time is this process's, the others' that of the runner and all
that it starts: ticks of a hundredth of a second, so that a few rounds are needed.
"""

import argparse
import os
import statistics
import sys
import time
from collections import defaultdict

import torch

from benchmarks.processor import processor_s
from grader.challenge import Challenge, load_challenges
from grader.comparison.baselines import Baselines
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from worker.judge import settle_heap
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

KNOWN = {"mha-rope": "rope-on-v", "mha-rope-causal": "rope-on-v", "rmsnorm": "eps-outside-root"}
USUAL = "missing-scale"
# A tenth too much, in a step of the reference: no list of mistakes has it.
ROPE = "def gather(weights, V):\n    return 1.1 * (weights @ V)"
MODULE = "def mix_heads(layer, context):\n    return layer.out_proj(1.1 * merge_heads(context))"
UNKNOWN = {
    "mha-rope": ROPE,
    "mha-rope-causal": ROPE,
    "mha-functional": "def attend(Q, K, V, mask):\n    return 1.1 * (weigh(Q, K, mask) @ V)",
    "mha-module": MODULE,
    "mha-homework": MODULE,
    "tinytorch-attention": "def mix(weights, V):\n    return (weights @ V) * 1.1",
    "rmsnorm": "def apply_weight(x, weight):\n    return 1.1 * x * weight",
}


def answers(challenge: Challenge) -> dict[str, Submission]:
    """By what they are called in the table."""
    exercise, path = exercise_of(challenge), challenge.manifest.default_path
    name = KNOWN.get(challenge.slug, USUAL)
    known = next(mistake for mistake in exercise.misconceptions if mistake.name == name)
    unknown = exercise.reference_source + f"\n\n{UNKNOWN[challenge.slug]}\n".encode()
    return {
        "right": exercise.baseline(),
        name: exercise.submission_with(known),
        "unknown": Submission(path, {path: unknown}, challenge.support),
    }


def measured(challenge: Challenge, runner: RunnerClient, baselines: Baselines, rounds: int) -> None:
    """Prints a line for each answer."""
    taken: dict[str, list[tuple[float, float]]] = defaultdict(list)
    told = {}
    for turn in range(rounds + 1):
        for name, submission in answers(challenge).items():
            judge, all_of_it = time.process_time(), processor_s(os.getpid())
            report = grade(challenge, submission, 1000 + turn, runner, baselines=baselines)
            judge = time.process_time() - judge
            if not turn:  # the first one reads what is kept from then on
                settle_heap()  # as a judge does
            else:
                taken[name].append((judge, processor_s(os.getpid()) - all_of_it - judge))
            told[name] = f"{report.verdict}, {', '.join(item.id for item in report.diagnoses) or 'nothing named'}"
    right = sum(map(statistics.median, zip(*taken["right"], strict=True)))
    for name, times in taken.items():
        judge, others = map(statistics.median, zip(*times, strict=True))
        figures = f"{1000 * judge:.0f} ms | {1000 * others:.0f} ms | {(judge + others) / right:.1f}"
        print(f"| {challenge.slug} | {name}: {told[name]} | {figures} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", choices=UNKNOWN)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print("| challenge | answer | judge | runner and sandbox | to a right one |\n|---|---|---|---|---|")
    baselines = Baselines(time.monotonic)  # as a judge has
    with private_runner(sessions=2) as runner:
        for slug, challenge in load_challenges().items():
            if asked.challenge in (None, slug):
                measured(challenge, runner, baselines, asked.rounds)


if __name__ == "__main__":
    sys.exit(main())
