"""What happens when many come at once, and when one worker has graded thousands: latency and memory.

python -m benchmarks.growth [--at-once 1 2 4 8 16 64] [--submissions 10000]

Latency is what each of n submissions waits that are handed in at the same moment, to two judges and one runner. Memory
is what a judge, the runner and its zygote hold between two submissions, the median of each tenth of them. What of it
is in use, once the judge has given back what is free (the C library keeps some), tells whether anything leaks. Files
count nowhere, such as torch's own, which other processes on the machine hold too.
"""

import argparse
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from benchmarks.compare.candidates import Judge
from grader.challenge import Challenge, load_challenges
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.sandbox.syscalls import trim_heap

JUDGES = 2
CHALLENGE = "mha-rope"
LOOKED_AT = 10  # memory, every so many submissions


def latencies(runner: RunnerClient, challenge: Challenge, at_once: list[int]) -> None:
    spawn = get_context("spawn")
    print("| at once | median | slowest | a second |\n|---|---|---|---|")
    with ProcessPoolExecutor(JUDGES, spawn, Judge.prepare, (runner, challenge)) as pool:
        for seed in range(2 * JUDGES):
            pool.submit(Judge.grade, seed).result()
        for number in at_once:
            started = time.perf_counter()
            waiting = [pool.submit(Judge.grade, 1000 * number + seed) for seed in range(number)]
            times = [time.perf_counter() - started for future in as_completed(waiting) if future.result() is None]
            print(f"| {number} | {statistics.median(times):.2f} s | {times[-1]:.2f} s | {number / times[-1]:.1f} |")


def memory(runner: RunnerClient, challenge: Challenge, submissions: int) -> None:
    """In one judge, one after the other."""
    print("| submissions | judge | of it in use | runner and zygote |\n|---|---|---|---|")
    with ProcessPoolExecutor(1, get_context("spawn"), Judge.prepare, (runner, challenge)) as pool:
        judge = pool.submit(_own_pid).result()
        tenth = max(LOOKED_AT, submissions // 10)
        held: list[tuple[float, float]] = []
        for done in range(1, submissions + 1):
            pool.submit(Judge.grade, done).result()
            if done % LOOKED_AT == 0:
                held.append((own_mib(judge), sum(map(own_mib, _family_of(runner)))))
            if done % tenth == 0:
                judges, runners = map(statistics.median, zip(*held, strict=True))
                pool.submit(trim_heap).result()
                print(f"| {done} | {judges:.1f} MiB | {own_mib(judge):.1f} MiB | {runners:.1f} MiB |", flush=True)
                held.clear()


def held_mib(pid: int, counted: str = "Pss") -> float:
    """Memory of a process's own, and its part of what it shares. Nothing once it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{counted}:"))


def own_mib(pid: int) -> float:
    """Of files nothing."""
    return held_mib(pid, "Pss_Anon")


def _own_pid() -> int:
    return int(Path("/proc/self").readlink().name)


def _family_of(runner: RunnerClient) -> list[int]:
    """The runner and what it started: its zygote, and warm children."""
    told = f"ASSAY_RUNNER_SOCKET={runner._path}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if told in environment or parent in found:
            found.append(int(process.name))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-once", type=int, nargs="*", default=[1, 2, 4, 8, 16, 64])
    parser.add_argument("--submissions", type=int, default=10_000)
    asked = parser.parse_args()
    challenge = load_challenges()[CHALLENGE]
    with private_runner(sessions=2 * JUDGES + 1) as runner:
        latencies(runner, challenge, asked.at_once)
        if asked.submissions:
            memory(runner, challenge, asked.submissions)


if __name__ == "__main__":
    sys.exit(main())
