"""Processor time of one empty session, of all processes together: python -m benchmarks.session_cost

The runner, its zygote and their children are counted when they have ended; the difference between many sessions and
few is what sessions cost, without the start.
"""

import resource
import sys

from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.private_runner import private_runner

FEW, MANY = 20, 120
EMPTY = Submission("empty.py", {"empty.py": b""})


def seconds(sessions: int) -> float:
    """Of a runner that serves so many sessions and ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with private_runner(sessions=2) as runner:
        for _ in range(sessions):
            runner.run(EMPTY, [], Limits())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    seconds(FEW)  # what is on disk is in memory from here on
    few, many = seconds(FEW), seconds(MANY)
    print(f"{1000 * (many - few) / (MANY - FEW):.1f} ms of processor time for each session")


if __name__ == "__main__":
    sys.exit(main())
