"""Which file of a project answers which exercise? By the names and signatures of its entry points, as the source has
them: nothing is run, and nothing is sent.
"""

import ast
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.check import entry_points_of
from engine.upload import FILE_LIMIT_BYTES
from engine.wire.challenges import ChallengeDetail
from grader.guest.gradable import defined_entry_points

NOBODYS_WORK: Final = frozenset(
    {"__pycache__", "node_modules", "site-packages", "venv", "env", "build", "dist", "hunt"}
)
ASIDE: Final = frozenset({"test", "tests", "old", "backup", "copy", "draft", "scratch"})
FILES_MAX: Final = 2000
PATH_SIGNS: Final = set('"\\')  # what a path in engine.toml does not have


@dataclass(frozen=True)
class Found:
    """A file that answers a challenge. `defined` of its entry points are defined in it, the others imported."""

    challenge: str
    file: str
    defined: int
    is_usual: bool  # it lies where the challenge wants it

    @property
    def rank(self) -> tuple[int, bool, bool, int, str]:
        """The best is the least. Tests and old copies are rather not meant."""
        return -self.defined, not self.is_usual, is_aside(self.file), len(self.file), self.file


def is_aside(file: str) -> bool:
    """Whether it is a test or an old copy, by its path."""
    return not ASIDE.isdisjoint(file.lower().replace(".", "/").replace("_", "/").split("/"))


def find_parts(trees: Mapping[str, ast.Module], challenges: Iterable[ChallengeDetail]) -> list[Found]:
    """Every file that answers one of the challenges, the best for each first."""
    found = [each for challenge in challenges for each in _answers(trees, challenge)]
    return sorted(found, key=lambda each: (each.challenge, each.rank))


def best_of(found: Sequence[Found]) -> dict[str, Found]:
    """The best file for each challenge."""
    best: dict[str, Found] = {}
    for each in found:
        best.setdefault(each.challenge, each)
    return best


def _answers(trees: Mapping[str, ast.Module], challenge: ChallengeDetail) -> Iterator[Found]:
    entries = entry_points_of(challenge)
    for path, tree in trees.items() if entries else ():
        defined = defined_entry_points(entries, path, tree)
        if defined is not None:
            is_usual = path == challenge.default_path or path.endswith(f"/{challenge.default_path}")
            yield Found(challenge.slug, path, defined, is_usual)


def read_trees(folder: Path) -> dict[str, ast.Module]:
    """The syntax trees of all files that can be read, by their path inside the folder. Links are not followed."""
    return dict(_trees(folder))


def _trees(folder: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in _files(folder):
        try:
            source = path.read_bytes()
            with warnings.catch_warnings(action="ignore"):
                yield path.relative_to(folder).as_posix(), ast.parse(source)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for place, inside, names in os.walk(folder):
        inside[:] = sorted(name for name in inside if name not in NOBODYS_WORK and not name.startswith("."))
        for path in (Path(place, name) for name in sorted(names) if name.endswith(".py")):
            inside_folder = path.relative_to(folder).as_posix()
            is_plain = inside_folder.isprintable() and not PATH_SIGNS & set(inside_folder)
            if is_plain and not path.is_symlink() and path.is_file() and path.stat().st_size <= FILE_LIMIT_BYTES:
                count += 1
                yield path
            if count >= FILES_MAX:
                return
