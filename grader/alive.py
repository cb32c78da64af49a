"""Heartbeats for health checks: files that a process touches as long as it gets on, and a look at how old they are.

    python -m grader.alive /tmp/alive queue judge runner

Every container does that every few seconds, so it imports next to nothing. It stands here because the front end's side
and the judge's share no other package; docs/operations.md says what each heartbeat means.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

BEAT_S = 1.0
LIMIT_S = 60.0  # who is merely busy is late by less; who hangs never comes


class Heartbeat:
    """The heartbeat of one thing that must go on: a file of that name, touched with each beat. Without a folder nobody
    looks, and nothing is written.
    """

    def __init__(self, folder: Path | None, name: str) -> None:
        self._folder = folder
        self._name = name

    def beat(self) -> None:
        """Says that it goes on. Never raises: what cannot be written is missed by whoever looks."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / self._name).touch()
        except OSError:
            return


NOWHERE = Heartbeat(None, "")


def missed(folder: Path, names: Sequence[str], limit_s: float = LIMIT_S) -> list[str]:
    """Returns a line for each heartbeat whose last beat is longer ago than the limit."""
    found = []
    for name in names:
        try:
            age_s = time.time() - (folder / name).stat().st_mtime
        except FileNotFoundError:
            found.append(f"{name}: no heartbeat yet")
            continue
        if age_s > limit_s:
            found.append(f"{name}: the last heartbeat was {age_s:.0f} s ago; the limit is {limit_s:.0f} s")
    return found


def main(folder: str, *names: str) -> int:
    """The exit code, as health checks want it."""
    found = missed(Path(folder), names)
    print(*(found or ["alive"]), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
