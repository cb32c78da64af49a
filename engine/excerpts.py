"""Lines of the student's file, each between its neighbours."""

import re
from typing import Final

from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page, plain
from grader.notebook import cells_in

NEIGHBOURS: Final = 2  # lines before and after the one that is shown
_LINE_END: Final = re.compile(r"\r\n|\r|\n")  # Python's own; str.splitlines knows more


class Excerpts:
    """Of one file: `source` as it was sent, when we still have it. None is shown twice."""

    def __init__(self, page: Page, filename: str, source: bytes | None) -> None:
        self._page = page
        self._filename = filename
        self._shown = set[tuple[int, str | None]]()
        text = source.decode("utf-8", errors="replace") if source else ""
        self._files: dict[str | None, str] = {None: text} if source else {}
        self._files |= {cell: code for cell, (_, code) in cells_in(text).items()}

    def show(self, line: int | None, file: str | None = None) -> None:
        """The line between its neighbours, when it is in the uploaded file, which alone we keep; else where it is."""
        if line is None or (line, file) in self._shown:
            return
        self._shown.add((line, file))
        where = f"{clean_line(file or self._filename)}:{line}"
        self._page.code(Text(where, "dim"), indent=4)
        lines = _LINE_END.split(self._files.get(file, ""))
        if file not in self._files or not 0 < line <= len(lines):
            return
        arrow, bar = self._page.glyphs.arrow, self._page.glyphs.bar
        for at in range(max(1, line - NEIGHBOURS), min(len(lines), line + NEIGHBOURS) + 1):
            sign, style = (arrow, "bold") if at == line else (" " * len(arrow), "dim")
            text = plain(lines[at - 1].expandtabs(4), "" if at == line else "dim")
            row = Text.assemble((f"{sign} {at:>4} {bar} ", style), text)
            row.rstrip()
            self._page.code(row, indent=2)
