"""A patch of a file from the lines that change, in the unified form that `patch` and `git apply` read.

Standard library only, nothing secret. It takes time that grows with what is changed, not with what it looks like.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

CONTEXT = 2  # lines around a change
LONGEST = 6000  # characters of a patch


@dataclass(frozen=True)
class Edit:
    """Lines from `first` to `last`, counted from 1, become others. `last` is a line earlier where nothing goes."""

    first: int
    last: int
    lines: tuple[str, ...]


def unified(path: str, source: bytes, edits: Sequence[Edit]) -> str | None:
    """The patch; nothing where edits overlap, the outcome would not be Python, or it could not be read on a page."""
    edits = sorted(edits, key=lambda edit: (edit.first, edit.last))
    try:
        lines = source.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
    overlap = any(earlier.last >= later.first for earlier, later in pairwise(edits))
    if not edits or overlap or not _is_python(_edited(lines, edits)):
        return None
    patch = "\n".join([f"--- a/{path}", f"+++ b/{path}", *_hunks(lines, edits)]) + "\n"
    is_readable = all(line.replace("\t", " ").isprintable() for line in patch.split("\n"))
    return patch if is_readable and len(patch) <= LONGEST else None


def _edited(lines: Sequence[str], edits: Sequence[Edit]) -> str:
    new, at = [], 0
    for edit in edits:
        new += [*lines[at : edit.first - 1], *edit.lines]
        at = edit.last
    return "\n".join([*new, *lines[at:]])


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _hunks(lines: Sequence[str], edits: Sequence[Edit]) -> Iterator[str]:
    shift = 0
    for group in _near(edits):
        start = max(1, group[0].first - CONTEXT)
        end = min(len(lines) - (lines[-1] == ""), group[-1].last + CONTEXT)
        body: list[str] = []
        added: list[str] = []
        at = start
        for edit in group:
            if edit.first > at:  # what goes stands before what comes, also where it is in several pieces
                body += [*added, *(f" {line}" for line in lines[at - 1 : edit.first - 1])]
                added = []
            body += [f"-{line}" for line in lines[edit.first - 1 : edit.last]]
            added += [f"+{line}" for line in edit.lines]
            at = edit.last + 1
        body += [*added, *(f" {line}" for line in lines[at - 1 : end])]
        old, new = (sum(line[0] in signs for line in body) for signs in (" -", " +"))
        yield f"@@ -{start},{old} +{start + shift},{new} @@"
        yield from body
        shift += new - old


def _near(edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    """Edits whose context would touch, together."""
    group: list[Edit] = []
    for edit in edits:
        if group and edit.first - group[-1].last > 2 * CONTEXT + 1:
            yield group
            group = []
        group.append(edit)
    yield group
