"""A student's source as numbered lines in colour, some of them marked. Bounded: no page is a million lines long."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.submissions.files import LINE_END
from app.web.colours import Span, coloured
from app.web.visible import printable

LINES_MAX: Final = 3000
COLUMNS_MAX: Final = 400
CONTEXT: Final = 5


@dataclass(frozen=True)
class Line:
    """A line of a source, as it may be shown."""

    number: int
    spans: tuple[Span, ...]
    is_marked: bool

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(span.text for span in self.spans)


def lines_of(source: str, marked: Collection[int] = ()) -> list[Line]:
    """Returns the first LINES_MAX lines."""
    return list(_numbered(LINE_END.split(source, LINES_MAX)[:LINES_MAX], 1, marked))


def excerpt(source: str, line: int | None) -> list[Line]:
    """Returns the lines around `line`, which is marked; none when there is no such line."""
    if line is None:
        return []
    lines = lines_of(source, {line})
    if not 0 < line <= len(lines):
        return []
    return lines[max(line - 1 - CONTEXT, 0) : line + CONTEXT]


def shown_lines(texts: Sequence[str], first: int, marked: int | None) -> list[Line]:
    """Returns some lines of a file, numbered from `first`."""
    return list(_numbered(texts, first, {marked}))


def _numbered(texts: Iterable[str], first: int, marked: Collection[int | None]) -> Iterator[Line]:
    for number, spans in enumerate(coloured(map(_shown, texts)), start=first):
        yield Line(number, spans, number in marked)


def is_cut(source: str) -> bool:
    """Whether the source has more lines than `lines_of` returns."""
    return len(LINE_END.split(source, LINES_MAX)) > LINES_MAX


def _shown(text: str) -> str:
    return printable(text if len(text) <= COLUMNS_MAX else f"{text[:COLUMNS_MAX]} …")
