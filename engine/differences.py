"""What changed between the files of two attempts, as lines of a unified diff."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from grader.line_diff import Stretch, stretches

CONTEXT: Final = 3


@dataclass(frozen=True)
class Change:
    """A file that changed. `lines` begin with a blank, `-`, `+`, or `@@` where lines were left out."""

    path: str
    lines: tuple[str, ...]


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> list[Change]:
    """The files that differ, in the order of the newer attempt, then those that are gone."""
    paths = (*new, *(path for path in old if path not in new))
    changed = [path for path in paths if old.get(path) != new.get(path)]
    return [Change(path, tuple(_lines(old.get(path, ""), new.get(path, "")))) for path in changed]


def _lines(old: str, new: str) -> Iterator[str]:
    before, after = old.splitlines(), new.splitlines()
    found = stretches(before, after)
    for place, stretch in enumerate(found):
        if stretch.is_equal:
            yield from _around(stretch, after, is_first=place == 0, is_last=place == len(found) - 1)
        else:
            yield from (f"-{line}" for line in before[stretch.old])
            yield from (f"+{line}" for line in after[stretch.new])


def _around(stretch: Stretch, after: list[str], *, is_first: bool, is_last: bool) -> Iterator[str]:
    """The lines near a change; what is left out between two is marked with where it goes on."""
    same = after[stretch.new]
    head, tail = (0 if is_first else CONTEXT), (0 if is_last else CONTEXT)
    if len(same) <= head + tail:
        yield from (f" {line}" for line in same)
        return
    yield from (f" {line}" for line in same[:head])
    if not is_last:
        yield f"@@ line {stretch.new.stop - tail + 1} @@"
        yield from (f" {line}" for line in same[len(same) - tail :])
