"""The consoles and the few shapes that every text for students is made of. Nothing here interprets markup."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from engine.cleaning import clean, clean_line

WIDEST: Final = 96  # columns; longer lines are hard to read
PIPE_WIDTH: Final = 100
NARROWEST: Final = 20


@dataclass(frozen=True)
class Glyphs:
    """Signs, and what stands for them where the encoding has none."""

    passed: str = "✓"
    failed: str = "✗"
    partial: str = "◐"
    waiting: str = "…"
    arrow: str = "→"
    bar: str = "│"
    times: str = "×"  # noqa: RUF001 - the sign itself


ASCII: Final = Glyphs("+", "x", "~", "...", "->", "|", "x")


def plain(text: str, style: str = "") -> Text:
    """Text from anywhere, safe to show."""
    return Text(clean(text).rstrip(), style)


class Page:
    """A place to write to: stdout for results, stderr for progress."""

    def __init__(self, *, stderr: bool = False) -> None:
        probe = Console(stderr=stderr)
        self.is_terminal: Final = probe.is_terminal and not probe.is_dumb_terminal and not probe.is_jupyter
        self.width: Final = max(NARROWEST, min(probe.width, WIDEST)) if self.is_terminal else PIPE_WIDTH
        self.console: Final = Console(
            stderr=stderr,
            width=self.width,
            color_system="auto" if self.is_terminal and not probe.no_color else None,
            markup=False,
            highlight=False,
            emoji=False,
            force_jupyter=False,
        )
        self.glyphs: Final = Glyphs() if probe.encoding.lower().startswith("utf") else ASCII

    def blank(self) -> None:
        """Prints an empty line."""
        self.console.print()

    def heading(self, text: str) -> None:
        """Prints a bold line after an empty one."""
        self.blank()
        self.put(Text(clean_line(text), "bold"))

    def put(self, text: Text, indent: int = 0, sign: Text | None = None) -> None:
        """A text, wrapped; further lines start below its first word, also when a sign stands before it."""
        lead = Text(" " * indent)
        if sign is not None:
            lead = Text.assemble(lead, sign, " ")
        room = max(NARROWEST // 2, self.width - lead.cell_len)
        for number, line in enumerate(text.wrap(self.console, room)):
            line.rstrip()
            before = lead if number == 0 else Text(" " * lead.cell_len)
            self._line(Text.assemble(before, line) if line.plain else Text())

    def say(self, text: str, style: str = "", indent: int = 0) -> None:
        """Prints a text, wrapped; whatever could steer the terminal is taken out of it."""
        self.put(plain(text, style), indent)

    def code(self, text: Text, indent: int = 0) -> None:
        """Prints one line that is cut rather than wrapped."""
        line = Text.assemble(" " * indent, text)
        line.truncate(self.width, overflow="ellipsis")
        self._line(line)

    def verbatim(self, text: Text, indent: int = 0) -> None:
        """Prints one line as it is, however long: somebody will copy it."""
        self._line(Text.assemble(" " * indent, text))

    def box(self, title: str, paragraphs: Sequence[Text], style: str) -> None:
        """A frame in a terminal; an indented block elsewhere."""
        body = Text("\n").join(paragraphs)
        if self.is_terminal and self.glyphs is not ASCII:
            name = Text(clean_line(title), f"bold {style}")
            self.console.print(Panel(body, title=name, title_align="left", border_style=style, padding=(0, 1)))
            return
        self.put(Text(clean_line(title), f"bold {style}"), indent=2)
        self.put(body, indent=4)

    def _line(self, line: Text) -> None:
        self.console.print(line, no_wrap=True, overflow="ignore", crop=False)
