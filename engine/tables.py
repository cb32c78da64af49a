"""Tables for a terminal of any width: columns where they fit, else a paragraph for each row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from engine.display import Page

GAPS: Final = (2, 1)  # between two columns: the narrower where it helps


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    title: str
    is_number: bool = False


def show_table(page: Page, columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> None:
    """Prints the rows. What goes into a file or another program is columns, however wide."""
    titles = [Text(column.title, "dim") for column in columns]
    widths = [max(cell.cell_len for cell in cells) for cells in zip(titles, *rows, strict=True)]
    fitting = (gap for gap in GAPS if sum(widths) + gap * (len(widths) - 1) <= page.width)
    gap = next(fitting, None if page.is_terminal else GAPS[0])
    if gap is None:
        for row in rows:
            _paragraph(page, columns, row)
        return
    for row in (titles, *rows):
        cells = [_padded(*each) for each in zip(row, widths, columns, strict=True)]
        line = Text(" " * gap).join(cells)
        line.rstrip()
        page.verbatim(line)


def _padded(cell: Text, width: int, column: Column) -> Text:
    room = " " * (width - cell_len(cell.plain))
    return Text.assemble(room, cell) if column.is_number else Text.assemble(cell, room)


def _paragraph(page: Page, columns: Sequence[Column], row: Sequence[Text]) -> None:
    first, *others = row
    page.put(Text.assemble(first, style="bold"))
    said = [
        Text.assemble((f"{column.title}: " if column.title else "", "dim"), cell)
        for column, cell in zip(columns[1:], others, strict=True)
        if cell.plain
    ]
    page.put(Text("; ").join(said), indent=2)
