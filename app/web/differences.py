"""What changed between two attempts, line by line, as two columns. Bounded, as all that is shown of a source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from app.submissions.files import SentFile
from app.web.source import Line, lines_of

CONTEXT: Final = 3


@dataclass(frozen=True)
class Row:
    """The same place in both: a line on either side, or on one alone. A marked line is changed."""

    old: Line | None
    new: Line | None


@dataclass(frozen=True)
class FileDifference:
    """`hunks` are what changed with some lines around; none when the file is the same."""

    path: str
    hunks: Sequence[Sequence[Row]]


def changes_between(old: Sequence[SentFile], new: Sequence[SentFile]) -> list[FileDifference]:
    """Of what was sent for two attempts."""
    return differences({file.path: file.text for file in old}, {file.path: file.text for file in new})


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDifference]:
    """Every file of either, in the order of the newer, then what is gone."""
    paths = [*new, *(path for path in old if path not in new)]
    return [FileDifference(path, list(_hunks(old.get(path, ""), new.get(path, "")))) for path in paths]


def _hunks(old: str, new: str) -> Iterator[list[Row]]:
    before, after = lines_of(old), lines_of(new)
    matcher = SequenceMatcher(None, [line.text for line in before], [line.text for line in after], autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        rows: list[Row] = []
        for tag, i, j, k, m in group:
            if tag == "equal":
                rows += [Row(one, other) for one, other in zip(before[i:j], after[k:m], strict=True)]
            else:
                rows += [Row(_marked(one), _marked(other)) for one, other in zip_longest(before[i:j], after[k:m])]
        yield rows


def _marked(line: Line | None) -> Line | None:
    return None if line is None else Line(line.number, line.text, is_marked=True)
