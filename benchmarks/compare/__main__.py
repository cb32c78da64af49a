"""Ours beside a fresh pytest in bubblewrap, a container for each submission, gVisor and Otter.

python -m benchmarks.compare [--only ours bubblewrap docker gvisor otter] [--rounds 12] [--otter PROGRAM]

The same right `mha-rope` submission and the same paper for all. Ours does more with it (rules, remarks, efficiency, a
new paper each time); "the paper alone" is what the others do.
Latency: one after the other. Throughput: two at once. CPU: of the whole machine, over the rounds one after the other,
so nothing else may run. What is not installed is named and left out.
"""

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
import threading
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import torch

from benchmarks.compare.candidates import SEED, Grade, Judge, otter, ours, pytest_in_bubblewrap
from benchmarks.compare.paper import write_paper
from grader.challenge import load_challenges
from grader.exercise import exercise_of

AT_ONCE = 2
NAMES = {
    "ours": "ours, zygote",
    "paper": "ours, zygote, the paper alone",
    "bubblewrap": "fresh Python and pytest in bubblewrap",
    "docker": "ours, a Docker container each",
    "gvisor": "ours, a gVisor container each",
    "otter": "Otter: `otter run`, no sandbox",
}
CHALLENGE = "mha-rope"


@dataclass(frozen=True)
class Figures:
    name: str
    median_s: float
    slowest_s: float
    per_second: float
    cpu_s: float

    def row(self, first: "Figures") -> str:
        return (
            f"| {NAMES[self.name]} | {self.median_s:.2f} s | {self.slowest_s:.2f} s | {self.per_second:.2f} | "
            f"{self.cpu_s:.2f} s | {self.median_s / first.median_s:.1f} | {first.per_second / self.per_second:.1f} |"
        )


def measure(name: str, grade: Grade, rounds: int) -> Figures:
    for _ in range(2):
        grade()
    before = machine_cpu_s()
    times = [_seconds(grade) for _ in range(rounds)]
    cpu_s = (machine_cpu_s() - before) / rounds
    return Figures(name, statistics.median(times), max(times), throughput(grade, sum(times)), cpu_s)


def throughput(grade: Grade, seconds: float) -> float:
    """Submissions a second while two are graded at any time."""
    done = [0] * AT_ONCE
    started = time.perf_counter()

    def work(index: int) -> None:
        while time.perf_counter() - started < seconds:
            grade()
            done[index] += 1

    threads = [threading.Thread(target=work, args=(index,)) for index in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - started)


def machine_cpu_s() -> float:
    """Seconds that all processors have worked, for whomever."""
    user, nice, system, _, _, interrupts, soft, *_ = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def _seconds(grade: Grade) -> float:
    started = time.perf_counter()
    grade()
    return time.perf_counter() - started


def main() -> None:
    asked = _arguments()
    torch.set_num_threads(1)
    challenge = load_challenges()[CHALLENGE]
    with tempfile.TemporaryDirectory(prefix="assay-compare-", dir="/var/tmp") as name:
        folder = Path(name)
        (folder / "layers.py").write_bytes(exercise_of(challenge).baseline().source)
        cases = write_paper(challenge, SEED, folder)
        print(f"{platform.machine()}, {os.cpu_count()} processors, {cases} cases in the paper, {asked.rounds} rounds\n")
        contexts: dict[str, AbstractContextManager[Grade]] = {
            "ours": ours(challenge, AT_ONCE, {}),
            "paper": ours(challenge, AT_ONCE, {}, Judge.paper),
            "bubblewrap": pytest_in_bubblewrap(folder),
            "docker": ours(challenge, AT_ONCE, {"sandbox": "docker"}),
            "gvisor": ours(challenge, AT_ONCE, {"sandbox": "docker", "docker_runtime": "runsc"}),
            "otter": otter(folder, asked.otter),
        }
        print(
            "| | median | slowest | a second, two at once | CPU each | times our latency | our throughput over theirs |"
        )
        print("|---|---|---|---|---|---|---|")
        first: Figures | None = None
        for chosen in asked.only:
            missing = _missing(chosen, asked.otter)
            if missing:
                print(f"| {NAMES[chosen]} | not measured: {missing} | | | | | |")
                continue
            with contexts[chosen] as grade:
                figures = measure(chosen, grade, asked.rounds)
            first = first or figures
            print(figures.row(first), flush=True)


def _missing(name: str, program: Path) -> str:
    needed = {"bubblewrap": "bwrap", "docker": "docker", "gvisor": "runsc", "otter": str(program)}
    return "" if name not in needed or shutil.which(needed[name]) else f"{Path(needed[name]).name} is not installed"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(NAMES), default=list(NAMES))
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument(
        "--otter", type=Path, default=Path("otter"), help="the program; Otter needs an environment of its own"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
