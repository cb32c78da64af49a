"""What a try of `assay challenge try --watch` costs once it is warm, in seconds of a processor: the judge's and the
sandbox's, which mostly wait for each other. Other load on the machine does not change it, as it would a clock.

    python -m benchmarks.challenge_try [--only SLUG]
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from shutil import copytree

from assay.challenge_tries import Tries
from grader.challenge import DEFAULT_ROOT, load_challenge
from grader.exercise import exercise_of
from worker.runner_process import RunnerProcess, runner_process

TICKS = os.sysconf("SC_CLK_TCK")
REPEATS = 2


def processor_s(runner: RunnerProcess) -> float:
    """Of this process, of the runner and of all that it started, also where that has ended."""
    return time.process_time() + sum(_used(pid) for pid in _tree(runner._process.pid))


def _used(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS  # its own, and its children's that were waited for


def _tree(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            found += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())
        except OSError:
            continue
    return found


def measured(tries: Tries, runner: RunnerProcess, what: str) -> None:
    """One try, and a line about it."""
    before, started = processor_s(runner), time.perf_counter()
    (*_, last) = tries.once()
    elapsed = time.perf_counter() - started
    print(f"{what:<28} {processor_s(runner) - before:5.2f} s of a processor, {elapsed:5.2f} s by the clock; {last}")


def main() -> None:
    """Tries of the baseline, then of a mistake, whose diagnosis is looked for among all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="rmsnorm", metavar="SLUG")
    slug = parser.parse_args().only
    with tempfile.TemporaryDirectory() as scratch, runner_process(sessions=2) as runner:
        folder = Path(copytree(DEFAULT_ROOT / slug, Path(scratch) / slug))
        file = Path(scratch) / load_challenge(folder).manifest.upload
        source = (folder / load_challenge(folder).manifest.baseline).read_text()
        file.write_text(source)
        runner.await_ready()
        tries = Tries(folder, [file], 1, runner)
        measured(tries, runner, "the first")
        for number in range(REPEATS):
            file.write_text(f"{source}\n# {number}\n")
            measured(tries, runner, "after the file was saved")
        mistake = exercise_of(load_challenge(folder)).misconceptions[0]
        wrong = exercise_of(load_challenge(folder)).submission_with(mistake).source.decode()
        for number in range(REPEATS):
            file.write_text(f"{wrong}\n# {number}\n")
            measured(tries, runner, f"{mistake.id} was saved")
        for number in range(REPEATS):
            cases = folder / "cases.py"
            cases.write_text(f"{cases.read_text()}\n# {number}\n")
            measured(tries, runner, "and the exercise was saved")


if __name__ == "__main__":
    main()
