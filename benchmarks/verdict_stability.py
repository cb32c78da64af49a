"""Does a verdict depend on the paper? Grades every submission of the corpus on many papers, in real sandboxes.

Wrong is every report that is not what the corpus asks for: another verdict, or another diagnosis. A change is a
submission that got different verdicts on different papers. Exit code 1 when there is either. What a report says beyond
verdict and diagnosis (efficiency, guidance, remarks) is left out.

python -m benchmarks.verdict_stability [--seeds 50] [--first 100] [--only mha-rope/failed/]
"""

import argparse
import multiprocessing
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import torch

from tests.grader.corpus import Entry, deviation, entries, grade_entry
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

# What waits for its time limit, or fills its memory, says nothing about the paper: three of its seeds are enough.
SLOW = ("/timeout/", "/error/memory")
SLOW_SEEDS = 3


@dataclass(frozen=True)
class Paper:
    """One seed and the submissions of one challenge: what is computed for a paper serves them all."""

    seed: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Graded:
    """One grading: the verdict, and how the report differs from what it must be."""

    entry: str
    seed: int
    verdict: str
    wrong: str | None


class Judge:
    """One of the processes that grade: it holds the client of the runner that all share."""

    runner: RunnerClient

    @classmethod
    def prepare(cls, runner: RunnerClient) -> None:
        torch.set_num_threads(1)
        cls.runner = runner

    @classmethod
    def grade(cls, paper: Paper) -> list[Graded]:
        return [cls._grade(entry, paper.seed) for entry in paper.entries]

    @classmethod
    def _grade(cls, entry: Entry, seed: int) -> Graded:
        report = grade_entry(entry, seed, cls.runner, is_timed=False, is_guided=False)
        return Graded(entry.name, seed, report.verdict.value, deviation(entry, report))


def main() -> int:
    asked = _arguments()
    chosen = [entry for entry in entries() if entry.name.startswith(asked.only)]
    papers = list(_papers(chosen, range(asked.first, asked.first + asked.seeds)))
    gradings, wrong = 0, 0
    verdicts: dict[str, set[str]] = defaultdict(set)
    started = time.perf_counter()
    spawn = multiprocessing.get_context("spawn")
    with (
        private_runner(sessions=2 * asked.jobs) as runner,
        ProcessPoolExecutor(asked.jobs, spawn, initializer=Judge.prepare, initargs=(runner,)) as pool,
    ):
        for paper, results in zip(papers, pool.map(Judge.grade, papers), strict=True):
            for graded in results:
                gradings += 1
                verdicts[graded.entry].add(graded.verdict)
                if graded.wrong is not None:
                    wrong += 1
                    print(f"seed {graded.seed}: {graded.entry}: {graded.wrong}", flush=True)
            passed_s, slug = time.perf_counter() - started, paper.entries[0].challenge
            print(f"seed {paper.seed}, {slug}: {gradings} so far, {wrong} wrong ({passed_s:.0f} s)", flush=True)
    changed = sorted(name for name, seen in verdicts.items() if len(seen) > 1)
    for name in changed:
        print(f"changes over seeds: {name}: {', '.join(sorted(verdicts[name]))}")
    print(
        f"{gradings} gradings of {len(chosen)} submissions on {asked.seeds} papers each: {wrong} wrong, "
        f"{len(changed)} verdicts change over seeds ({time.perf_counter() - started:.0f} s)"
    )
    return 1 if wrong or changed else 0


def _papers(chosen: list[Entry], seeds: range) -> list[Paper]:
    """Seed by seed, so that what is interrupted has covered all submissions equally."""
    slugs = sorted({entry.challenge for entry in chosen})
    return [
        Paper(seed, part)
        for seed in seeds
        for slug in slugs
        if (part := tuple(entry for entry in chosen if entry.challenge == slug and _takes(entry, seed - seeds.start)))
    ]


def _takes(entry: Entry, number: int) -> bool:
    return number < SLOW_SEEDS or not any(part in entry.name for part in SLOW)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=50, help="papers for each submission")
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--only", default="", help="submissions whose name starts like this")
    parser.add_argument("--jobs", type=int, default=2, help="judges at the same time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
