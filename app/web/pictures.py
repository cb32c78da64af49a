"""Where an output differs, as a picture and in a sentence that says the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from markupsafe import Markup

from grader.report import ErrorMap

CELL: Final = 16  # user units; the stylesheet gives the size on the page
MARGIN: Final = 24
HEADS_APART: Final = 34
RANGES_MAX: Final = 2  # more of them are counted, not listed
RIGHT: Final = "0"


@dataclass(frozen=True)
class ErrorPicture:
    """Where an output differs, as a picture of that size in user units and as a sentence."""

    sentence: str
    svg: Markup
    width: float
    height: float


def error_picture(found: ErrorMap) -> ErrorPicture:
    """Draws where an output differs."""
    rows = [set(row) == {RIGHT} for row in found.cells]
    columns = [set(column) == {RIGHT} for column in zip(*found.cells, strict=True)]
    told = [_told("position", rows, found.positions), _told("feature", columns, found.features)]
    if found.heads:
        told.append(_told("head", [digit == RIGHT for digit in found.heads], len(found.heads)))
    sentence = f"It differs in {', '.join(told[:-1])} and {told[-1]}."
    return _draw(found, sentence)


def _told(what: str, is_right: Sequence[bool], count: int) -> str:
    """Which of them differ. Where several share a cell, one of them is enough for all."""
    if not any(is_right):
        return f"every {what}" if count > 1 else f"the one {what}"
    ranges = list(_wrong_ranges(is_right, count))
    if len(ranges) > RANGES_MAX:
        return f"{sum(last - first + 1 for first, last in ranges)} of {count} {what}s"
    listed = " and ".join(str(first) if first == last else f"{first} to {last}" for first, last in ranges)
    is_one = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return f"{what}{'' if is_one else 's'} {listed} (of 0 to {count - 1})"


def _wrong_ranges(is_right: Sequence[bool], count: int) -> Iterator[tuple[int, int]]:
    cells = len(is_right)
    for right, group in groupby(range(cells), key=lambda cell: is_right[cell]):
        members = list(group)
        if not right:
            yield _start(members[0], cells, count), _start(members[-1] + 1, cells, count) - 1


def _start(cell: int, cells: int, count: int) -> int:
    """The first that is in the cell: the first cells have one more than the last."""
    return cell * (count // cells) + min(cell, count % cells)


def _draw(found: ErrorMap, sentence: str) -> ErrorPicture:
    """Both axes begin at 0. One path for each level of error: a cell costs a dozen characters."""
    width, height = len(found.cells[0]) * CELL, len(found.cells) * CELL
    parts = [
        _label(MARGIN + width / 2, MARGIN - 9, "features →"),
        Markup('<g transform="rotate(-90)">{}</g>').format(
            _label(-(MARGIN + height / 2), MARGIN - 9, "← positions" if height > 6 * CELL else "←")
        ),
        _squares(found.cells, MARGIN, MARGIN),
    ]
    bottom = MARGIN + height
    if found.heads:
        parts.append(_squares([found.heads], MARGIN, bottom + HEADS_APART))
        parts.append(_label(MARGIN, bottom + HEADS_APART - 9, "heads →", "start"))
        bottom += HEADS_APART + CELL
    size = (max(width, 8 * CELL) + 2 * MARGIN, bottom + 4)
    frame = Markup('<svg class="errors" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>')
    return ErrorPicture(sentence, frame.format(*size, *size, sentence, Markup("").join(parts)), *size)


def _squares(rows: Sequence[str], left: float, top: float) -> Markup:
    paths: dict[str, list[str]] = {}
    for row, digits in enumerate(rows):
        for column, digit in enumerate(digits):
            paths.setdefault(digit, []).append(f"M{column} {row}h1v1h-1z")
    drawn = Markup("").join(
        Markup('<path class="e{}" d="{}"/>').format(digit, "".join(steps)) for digit, steps in sorted(paths.items())
    )
    return Markup('<g transform="translate({} {}) scale({})">{}</g>').format(left, top, CELL, drawn)


def _label(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(f"{x:g}", f"{y:g}", anchor, text)
