"""What changed between two attempts, line by line, as two columns. Bounded, as all that is shown of a source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from app.submissions.files import SentFile
from app.web.colours import with_changes
from app.web.source import LINES_MAX, Line, is_cut, lines_of
from grader.line_diff import stretches

CONTEXT: Final = 3


@dataclass(frozen=True)
class DiffRow:
    """A line of both files, or of one alone. A marked line is changed."""

    old: Line | None
    new: Line | None


@dataclass(frozen=True)
class FileDifference:
    """`hunks` are the changes with some lines around; none when the file is the same. `is_cut` says
    that there is more.
    """

    path: str
    hunks: Sequence[Sequence[DiffRow]]
    is_cut: bool


def changes_between(old: Sequence[SentFile], new: Sequence[SentFile]) -> list[FileDifference]:
    """Compares the files of two attempts."""
    names = {file.path: file.name for file in (*old, *new)}
    found = differences({file.path: file.text for file in old}, {file.path: file.text for file in new})
    return [replace(file, path=names[file.path]) for file in found]


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDifference]:
    """Compares all files, in the order of the newer attempt, then those that are gone. Returns at most LINES_MAX rows
    in all.
    """
    found: list[FileDifference] = []
    left = LINES_MAX
    for path in (*new, *(path for path in old if path not in new)):
        file = _difference(path, old.get(path, ""), new.get(path, ""), left)
        left -= sum(map(len, file.hunks))
        found.append(file)
    return found


def _difference(path: str, old: str, new: str, rows_max: int) -> FileDifference:
    """The hunks that fit into so many rows."""
    if old == new or not rows_max:
        return FileDifference(path, [], is_cut=old != new)
    hunks: list[list[DiffRow]] = []
    for hunk in _hunks(lines_of(old), lines_of(new)):
        hunks.append(hunk[:rows_max])
        rows_max -= len(hunk)
        if rows_max < 0:
            return FileDifference(path, hunks, is_cut=True)
    return FileDifference(path, hunks, is_cut=is_cut(old) or is_cut(new))


def _hunks(before: Sequence[Line], after: Sequence[Line]) -> Iterator[list[DiffRow]]:
    """The changes, each with CONTEXT lines around; those that are near to each other together."""
    hunk: list[DiffRow] = []
    found = stretches([line.text for line in before], [line.text for line in after])
    for number, stretch in enumerate(found, start=1):
        old, new = before[stretch.old], after[stretch.new]
        if not stretch.is_equal:
            hunk += [_changed(one, other) for one, other in zip_longest(old, new)]
            continue
        same = [DiffRow(one, other) for one, other in zip(old, new, strict=True)]
        if hunk and (number == len(found) or len(same) > 2 * CONTEXT):
            yield hunk + same[:CONTEXT]
            hunk = []
        hunk += same if hunk else same[-CONTEXT:]
    if found and not found[-1].is_equal:
        yield hunk


def _changed(old: Line | None, new: Line | None) -> DiffRow:
    if old is not None and new is not None:
        before, after = with_changes(old.spans, new.spans)
        old, new = replace(old, spans=before), replace(new, spans=after)
    return DiffRow(*(line and replace(line, is_marked=True) for line in (old, new)))
