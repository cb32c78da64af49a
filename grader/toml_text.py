"""A TOML file that an author wrote: its data, and where in it something stands. tomllib knows no lines of what it has
read.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

KeyPath = tuple[str | int, ...]  # keys, and numbers of the tables in a list: ("questions", 0, "answer")

# One key of a dotted name, and what comes behind it. Each alternative is told by its first character.
_KEY: Final = re.compile(r"""[ \t]*(?:"([^"\\\n]*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*([.=\]])?""")
_SYNTAX: Final = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)")
DEEPEST: Final = 16  # parts of a dotted name: no file of an exercise has as many
_QUOTES: Final = ('"""', "'''")


class NotTomlError(ValueError):
    """The text is no TOML: told in a sentence with file and line."""


@dataclass(frozen=True)
class TomlText:
    """`name` is what the file is called in sentences."""

    name: str
    text: str

    @classmethod
    def read(cls, path: Path) -> "TomlText":
        """Raises OSError, or NotTomlError where it is not UTF-8."""
        content = path.read_bytes()
        try:
            return cls(str(path), content.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise NotTomlError(f"{path}, line {line}: this is not UTF-8; save the file in that encoding") from error

    @cached_property
    def data(self) -> dict[str, Any]:
        """Raises NotTomlError."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise NotTomlError(self._syntax(str(error))) from error
        except RecursionError as error:
            message = f"{self.name}: lists or tables are nested too deeply to be read; a few levels are enough"
            raise NotTomlError(message) from error
        except ValueError as error:  # of int(), which reads no more than some thousand digits
            raise NotTomlError(f"{self.name}: a number has too many digits to be read; write a shorter one") from error

    def line(self, place: KeyPath) -> int:
        """Returns the line of a place in the data, or of the nearest around it that has a line of its own."""
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place, 1)

    def at(self, *place: str | int) -> str:
        """`challenge.toml, line 12`, to begin a sentence with."""
        return f"{self.name}, line {self.line(place)}"

    @cached_property
    def _lines(self) -> Mapping[KeyPath, int]:
        lines: dict[KeyPath, int] = {}
        for place, line in _places(self.text.splitlines()):
            for length in range(1, len(place) + 1):
                lines.setdefault(place[:length], line)
        return lines

    def _syntax(self, told: str) -> str:
        found = _SYNTAX.fullmatch(told)
        problem, line = (found[1], found[2]) if found else (told, None)
        number = int(line) if line else len(self.text.splitlines())
        written = (self.text.splitlines() or [""])[number - 1].strip()
        return f"{self.name}, line {number}: this is not TOML: {problem}{_advice(problem, written)}"


def _advice(problem: str, written: str) -> str:
    """What to do about the commonest slips; TOML's own words for the rest."""
    if problem.startswith("Invalid value"):
        return f". A text stands in quotes, a list in brackets, and every key has a value: `{written[:60]}`"
    if problem.startswith(("Cannot overwrite", "Cannot declare")):
        return f". It is there already, further up: `{written[:60]}`"
    return f": `{written[:60]}`" if written else ""


def _places(lines: Sequence[str]) -> Iterator[tuple[KeyPath, int]]:
    """Every table's and every key's place, with its line. What stands inside a value has none."""
    table: KeyPath = ()
    counts = Counter[KeyPath]()
    closing = ""  # of a text over several lines
    for number, line in enumerate(lines, start=1):
        if closing:
            closing = "" if closing in line else closing
            continue
        start = line.lstrip()
        if start.startswith("["):
            is_list = start.startswith("[[")
            keys = _keys(start[2 if is_list else 1 :], "]")
            if not keys:
                continue
            table = _numbered(keys, counts)
            if is_list:
                counts[table] += 1
                table = (*table, counts[table] - 1)
            yield table, number
        elif keys := _keys(start, "="):
            yield (*table, *keys), number
            closing = next((quotes for quotes in _QUOTES if line.count(quotes) % 2), "")


def _keys(text: str, end: str) -> tuple[str, ...]:
    """The dotted name at the beginning of the text, if `end` comes behind it."""
    keys: list[str] = []
    position = 0
    while len(keys) < DEEPEST and (found := _KEY.match(text, position)):
        keys.append(next(key for key in found.groups()[:3] if key is not None))
        position = found.end()
        if found[4] != ".":
            return tuple(keys) if found[4] == end else ()
    return ()


def _numbered(keys: Sequence[str], counts: Mapping[KeyPath, int]) -> KeyPath:
    """Behind the name of a list of tables, the number of its latest: what follows belongs to that one."""
    place: KeyPath = ()
    for key in keys[:-1]:
        place = (*place, key)
        if counts.get(place):
            place = (*place, counts[place] - 1)
    return (*place, keys[-1])
