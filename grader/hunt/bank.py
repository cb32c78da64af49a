"""The bugs of one challenge: `hunt/` with right solutions in several styles, what is planted in them, and what a
grading saw of it.
"""

import json
import keyword
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from pydantic import Field, TypeAdapter, ValidationError

from grader.hunt.tokens import NoPython, tokens_of
from grader.manifest import ManifestError
from grader.toml_complaints import TomlSection, complaints
from grader.toml_text import NotTomlError, TomlText

BUGS: Final = "bugs.toml"
OBSERVED: Final = "observed.json"


class HuntError(ManifestError):
    """The bug hunt cannot be used: the author's mistake, told in a sentence."""


class Edit(TomlSection):
    """What stands once in a right solution, and what is put in its place."""

    right: str
    wrong: str


class Bug(TomlSection):
    """One misconception, planted in some of the solutions."""

    symptom: str = Field(min_length=1, description="what somebody who runs the file notices, and nothing of the cause")
    edits: dict[str, Edit] = Field(min_length=1, description="by the solution's name")


class Observed(TomlSection):
    """What a real grading said of a planted file: the symptoms, and what is told once it is mended."""

    failed: tuple[str, ...] = Field(description="families")
    case: str = Field(description="the first failing test whose message students may read")
    snippet: str | None = Field(description="the smallest case that fails")
    title: str
    explanation: str


class Told(Observed):
    """What comes with a planted file. Title and explanation only once it is mended."""

    symptom: str


def misconception_of(bug: str) -> str:
    """The id of the misconception of which this bug is one way to go wrong."""
    return bug.partition(".")[0]


@dataclass(frozen=True)
class Planted:
    """A file to hand out. `bug` is the name of the misconception's file: what stands before a dot is its id."""

    style: str
    bug: str
    source: str

    @property
    def name(self) -> str:
        """Style and bug, unique in a challenge."""
        return f"{self.style}/{self.bug}"

    @property
    def misconception(self) -> str:
        """The id of the misconception that is planted."""
        return misconception_of(self.bug)


_BUGS: Final = TypeAdapter(dict[str, Bug])
_OBSERVED: Final = TypeAdapter(dict[str, Observed])


@dataclass(frozen=True, eq=False)
class HuntBank:
    """`solutions` are right, by style."""

    solutions: Mapping[str, str]
    bugs: Mapping[str, Bug]
    observed: Mapping[str, Observed]
    _file: TomlText = field(default_factory=lambda: TomlText(BUGS, ""))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """An empty one where there is no such folder: not every challenge has a hunt. Raises HuntError."""
        if not folder.is_dir():
            return cls({}, {}, {})
        solutions = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}
        file = _read_toml(folder / BUGS)
        bank = cls(solutions, _read_bugs(file), _read_observed(folder / OBSERVED), file)
        for planted in bank.all_planted():
            assert planted.source  # each edit has been made once: an author hears of a slip at the start
        return bank

    def all_planted(self) -> Iterator[Planted]:
        """Every file that may be handed out. Raises HuntError."""
        for bug, description in self.bugs.items():
            for style in description.edits:
                yield self.planted(style, bug)

    def planted(self, style: str, bug: str) -> Planted:
        """Puts a bug into a solution. Raises HuntError when the edit does not fit."""
        edit, solution = self.bugs[bug].edits[style], self.solutions.get(style)
        if solution is None:
            raise HuntError(f"{self.place_of(bug, style)}: {bug} speaks of {style!r}, and there is no {style}.py")
        count = solution.count(edit.right)
        if count != 1:
            raise HuntError(
                f"{self.place_of(bug, style)}: what {bug} replaces stands {count} times in {style}.py; "
                "it must stand there once"
            )
        return Planted(style, bug, solution.replace(edit.right, edit.wrong))

    def place_of(self, bug: str, style: str = "") -> str:
        """File and line of a bug, or of its edit of that solution, to begin a sentence with."""
        return self._file.at(bug, "edits", style) if style else self._file.at(bug)

    def told(self, planted: Planted) -> Told | None:
        """Returns what a student is told of a file; None where no grading of it was observed yet."""
        observed = self.observed.get(planted.name)
        return Told(symptom=self.bugs[planted.bug].symptom, **dict(observed)) if observed else None

    def style_of(self, source: str) -> str:
        """The solution that has most words in common with a student's own source."""
        words = _words(source)
        return max(sorted(self.solutions), key=lambda style: _likeness(words, _words(self.solutions[style])))


def _read_toml(path: Path) -> TomlText:
    try:
        return TomlText.read(path)
    except FileNotFoundError as error:
        raise HuntError(f"{path} is missing: the bugs of a hunt are written there (docs/hunt.md)") from error
    except NotTomlError as error:
        raise HuntError(str(error)) from error


def _read_bugs(file: TomlText) -> dict[str, Bug]:
    try:
        return _BUGS.validate_python(file.data)
    except NotTomlError as error:
        raise HuntError(str(error)) from error
    except ValidationError as error:
        raise HuntError(complaints(error, file, dict[str, Bug])) from error


def _read_observed(path: Path) -> dict[str, Observed]:
    """Nothing where nothing was observed yet: the proof demands it, and an author begins without."""
    if not path.exists():
        return {}
    try:
        return _OBSERVED.validate_json(path.read_bytes())
    except ValidationError as error:
        raise HuntError(f"{path}: {_told(error)}") from error


def _told(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())


def write_observed(folder: Path, observed: Mapping[str, Observed]) -> Path:
    """Writes what gradings said of the files, for `HuntBank.load` to read."""
    path = folder / OBSERVED
    data = {name: observed[name].model_dump(mode="json") for name in sorted(observed)}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _words(source: str) -> frozenset[str]:
    """The names of a program: `rearrange`, `view`, `Q`, `x1`; what of it can be read, where it cannot be read whole."""
    words = set()
    try:
        for token in tokens_of(source):
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                words.add(token.string)
    except NoPython:
        pass
    return frozenset(words)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
