"""`engine.toml`: which file of a project answers which exercise. Knows no server."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, NoReturn

from engine.errors import WrongUsage
from engine.naming import SLUG

NAME: Final = "engine.toml"
TABLE: Final = "exercises"
HEAD: Final = f"""# Which file answers which exercise. `engine submit-build` without a file submits all that changed.
# A part can name its assignment: mha-rope = {{ file = "src/attention.py", assignment = "course/attention" }}
[{TABLE}]
"""
_SLUG: Final = re.compile(SLUG)
_LIKE: Final = 'mha-rope = "src/attention.py"'
_LIKE_DOTTED: Final = '"cs336.rmsnorm" = "src/norm.py", with the name in quotes'


@dataclass(frozen=True)
class PartFile:
    """A line of `engine.toml`. `file` is relative to the project's folder."""

    challenge: str
    file: str
    assignment: str | None = None


@dataclass(frozen=True)
class Parts:
    """The parts of the project in `folder`, in the order of the file."""

    folder: Path
    items: tuple[PartFile, ...]

    @classmethod
    def read(cls, folder: Path) -> "Parts | None":
        """Reads the folder's engine.toml. Returns None where there is none. Raises WrongUsage, with the line, for what
        is wrong in it.
        """
        file = folder / NAME
        try:
            text = file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise WrongUsage(f"{NAME} is not UTF-8 text.", "Save it with that encoding.") from error
        return cls(folder, _Reader(folder, text).items())

    @property
    def path(self) -> Path:
        """The file that says which file answers which challenge."""
        return self.folder / NAME


def written(items: Iterable[PartFile]) -> str:
    """The file's text. Slugs and paths are plain, or `Parts.read` would refuse them."""
    return HEAD + "".join(f"{_key(item.challenge)} = {_value(item)}\n" for item in items)


def _key(slug: str) -> str:
    """A dot has a meaning of its own in TOML."""
    return f'"{slug}"' if "." in slug else slug


def _value(item: PartFile) -> str:
    if item.assignment is None:
        return f'"{item.file}"'
    return f'{{ file = "{item.file}", assignment = "{item.assignment}" }}'


@dataclass(frozen=True)
class _Reader:
    folder: Path
    text: str

    def items(self) -> tuple[PartFile, ...]:
        try:
            whole = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            where = re.search(r"line (\d+)", str(error))
            self._refuse_at(
                where and int(where[1]), str(error).partition(" (at")[0], "Each line is like " + _LIKE + "."
            )
        except (RecursionError, ValueError):  # lists within lists without end; a number of thousands of digits
            self._refuse_at(None, "it cannot be read", "Each line is like " + _LIKE + ".")
        unknown = [name for name in whole if name != TABLE]
        if unknown:
            self._refuse(f"`{unknown[0]}` is not known", unknown[0], f"There is one table, [{TABLE}].")
        table = whole.get(TABLE)
        if not isinstance(table, dict) or not table:
            self._refuse_at(None, f"there is no exercise in [{TABLE}]", f"Run `engine init`, or write a line: {_LIKE}")
        return tuple(self._item(slug, value) for slug, value in table.items())

    def _item(self, slug: str, value: Any) -> PartFile:
        told = {"file": value} if isinstance(value, str) else value
        if not _SLUG.fullmatch(slug):
            self._refuse(f"{slug!r} is not an exercise's name", slug, "See `engine challenges`.")
        if not isinstance(told, dict) or not isinstance(told.get("file"), str) or set(told) - {"file", "assignment"}:
            is_dotted = isinstance(value, dict) and f"{slug}." in self.text
            like = _LIKE_DOTTED if is_dotted else _LIKE
            self._refuse(f"{slug} needs the path of a file", slug, f"Write it like {like}.")
        assignment = told.get("assignment")
        if assignment is not None and not isinstance(assignment, str):
            self._refuse(f"the assignment of {slug} is not a text", slug, 'Write it like "course/assignment".')
        return PartFile(slug, self._file(slug, told["file"]), assignment)

    def _file(self, slug: str, path: str) -> str:
        """A file inside the project. A link may lead elsewhere only inside it."""
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or "\\" in path or not path.isprintable():
            self._refuse(f"{path!r} is not a path inside this folder", slug, f"Write it like {_LIKE}.")
        file = self.folder / pure
        if not file.is_file():
            self._refuse(f"there is no file {path} for {slug}", slug, "Correct the path, or remove the line.")
        if not file.resolve().is_relative_to(self.folder.resolve()):
            self._refuse(f"{path} is a link that leaves this folder", slug, "Put the file itself there.")
        return pure.as_posix()

    def _refuse(self, what: str, key: str, hint: str) -> NoReturn:
        """With the line on which a key stands, which tomllib does not tell."""
        for number, line in enumerate(self.text.splitlines(), start=1):
            begins = line.strip().lstrip("[").lstrip("\"'")
            if begins.startswith(key) and not begins[len(key) : len(key) + 1].isalnum():
                self._refuse_at(number, what, hint)
        self._refuse_at(None, what, hint)

    def _refuse_at(self, line: int | None, what: str, hint: str) -> NoReturn:
        where = f"{NAME}, line {line}" if line else NAME
        raise WrongUsage(f"{where}: {what}.", hint)
