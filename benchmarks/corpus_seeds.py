"""Grades the whole corpus on several papers and prints every deviation: a test that only some seeds make is a bad test.

python -m benchmarks.corpus_seeds --seeds 5 --first 100 [--only mha-rope/failed/]
"""

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import torch

from tests.grader.corpus import Entry, deviation, entries, grade_entry
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

SLOW = ("/timeout/", "/error/memory")


@dataclass(frozen=True)
class Paper:
    """One seed, all entries: what is computed for a paper serves them all."""

    seed: int
    entries: tuple[Entry, ...]


def deviations(paper: Paper, runner: RunnerClient) -> list[str]:
    torch.set_num_threads(1)
    found = []
    for entry in paper.entries:
        difference = deviation(entry, grade_entry(entry, paper.seed, runner))
        if difference is not None:
            found.append(f"seed {paper.seed}: {entry.name}: {difference}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    chosen = tuple(
        entry
        for entry in entries()
        if entry.name.startswith(asked.only) and not any(part in entry.name for part in SLOW)
    )
    count = 0
    with (
        private_runner(sessions=asked.jobs + 1) as runner,
        ProcessPoolExecutor(asked.jobs, multiprocessing.get_context("spawn")) as pool,
    ):
        papers = [Paper(seed, chosen) for seed in range(asked.first, asked.first + asked.seeds)]
        for found in pool.map(deviations, papers, [runner] * len(papers)):
            count += len(found)
            print(*found, sep="\n", end="\n" if found else "", flush=True)
    print(f"{len(chosen)} submissions, {asked.seeds} seeds, {count} deviations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
