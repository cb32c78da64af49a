"""How long `assay grade FILE` takes, from its start to its end: python -m benchmarks.one_file [--rounds 7] [FILE ...]

In turns with the least that any grader in Python needs: `import torch` in a process of its own. Processor time is that
of all processes together: the judge, the runner, its zygote and their children.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = tuple(ROOT / "examples" / name for name in ("correct.py", "rope_on_v.py"))
GRADE = (sys.executable, "-P", "-m", "assay", "grade", "--challenge", "mha-rope", "--seed", "1")
TORCH = (sys.executable, "-P", "-c", "import torch")


@dataclass(frozen=True)
class Run:
    """Seconds on the clock, and of the processor."""

    wall_s: float
    cpu_s: float


def run(command: Sequence[str | Path]) -> Run:
    """Raises SystemExit where the command fails."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return Run(wall_s, used.ru_utime + used.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=FILES)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    commands = {"import torch": TORCH, **{f"assay grade {file.name}": (*GRADE, file) for file in asked.files}}
    for command in commands.values():
        run(command)  # what is on disk is in memory from here on
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(asked.rounds):
        for name, command in commands.items():
            runs[name].append(run(command))
    print(f"{platform.platform()}, {os.cpu_count()} processors, Python {platform.python_version()}\n")
    print("| | median | quickest | slowest | processor time |\n|---|---|---|---|---|")
    for name, made in runs.items():
        wall_s = [each.wall_s for each in made]
        cpu_s = statistics.median(each.cpu_s for each in made)
        told = f"{statistics.median(wall_s):.2f} s | {min(wall_s):.2f} s | {max(wall_s):.2f} s | {cpu_s:.2f} s"
        print(f"| {name} | {told} |")


if __name__ == "__main__":
    main()
