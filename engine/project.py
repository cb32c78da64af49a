"""Which file in this folder belongs to which challenge: `engine.toml` says it, and what `engine init` noted in
`.assay.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.errors import WrongUsage
from engine.parts import PartFile, Parts

FILE: Final = ".assay.json"
DEFAULT_CHALLENGE: Final = "mha-rope"
DEFAULT_PATH: Final = "cs336_basics/layers.py"


@dataclass(frozen=True)
class Meant:
    """What a command is about. Without a `file` it is the exercise's usual one, which the server knows."""

    challenge: str
    assignment: str | None
    file: Path | None


@dataclass(frozen=True)
class Project:
    """`challenges` maps a file's path relative to `folder` to its challenge; `parts` are those of `engine.toml`."""

    folder: Path
    challenges: Mapping[str, str]
    parts: Parts | None = None

    @classmethod
    def read(cls, folder: Path) -> "Project":
        """Reads the notes of a folder. Raises WrongUsage when they are damaged."""
        parts = Parts.read(folder)
        try:
            noted = json.loads((folder / FILE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls(folder, {}, parts)
        except ValueError:
            noted = None
        if not isinstance(noted, dict) or not all(isinstance(slug, str) for slug in noted.values()):
            raise WrongUsage(f"{folder / FILE} is damaged.", "Remove it; `engine init` writes it anew.")
        return cls(folder, noted, parts)

    def note(self, path: str, challenge: str) -> None:
        """Notes which challenge a file belongs to."""
        challenges = {**self.challenges, path: challenge}
        (self.folder / FILE).write_text(json.dumps(challenges, indent=1) + "\n", encoding="utf-8")

    def parts_of(self, file: Path | None) -> tuple[PartFile, ...]:
        """The parts that a file answers; all of them where none is named."""
        items = self.parts.items if self.parts else ()
        return tuple(item for item in items if file is None or (self.folder / item.file).resolve() == file.resolve())

    def several(self, file: Path | None, challenge: str | None, assignment: str | None) -> tuple[PartFile, ...]:
        """The parts that a command is about, where these are several. Raises WrongUsage with an assignment."""
        parts = self.parts_of(file) if challenge is None else ()
        if len(parts) < 2:
            return ()
        if assignment is not None:
            raise WrongUsage("--assignment is for one part.", "Name its file, or its assignment in engine.toml.")
        return parts

    def meant(self, file: Path | None, challenge: str | None, assignment: str | None) -> Meant:
        """Finds the file, challenge and assignment of a command, by those of them that were named. Raises WrongUsage
        where they cannot be known.
        """
        if challenge is not None:
            return Meant(challenge, assignment, file or self._file_of(challenge))
        file = file or self._only_file()
        for part in self.parts_of(file):
            return Meant(part.challenge, assignment or part.assignment, file)
        return Meant(self._noted_for(file), assignment, file)

    def _noted_for(self, file: Path) -> str:
        """The challenge of a file; the first exercise where nothing was noted."""
        try:
            relative = file.resolve().relative_to(self.folder.resolve()).as_posix()
        except ValueError:
            return DEFAULT_CHALLENGE
        return self.challenges.get(relative, DEFAULT_CHALLENGE)

    def _file_of(self, challenge: str) -> Path | None:
        """The file that was noted for a challenge."""
        parts = [item.file for item in self.parts_of(None) if item.challenge == challenge]
        paths = [*parts, *(path for path, slug in self.challenges.items() if slug == challenge)]
        return Path(paths[0]) if paths else None

    def _only_file(self) -> Path:
        """The file to send when none is named. Raises WrongUsage where nobody can know which of several is meant."""
        named = [item.file for item in self.parts_of(None)] or list(self.challenges)
        if len(named) > 1 and DEFAULT_PATH not in named:
            raise WrongUsage(
                f"Several exercises are in this folder: {', '.join(named)}.",
                f"Name the one you mean, as in: engine submit-build {named[-1]}",
            )
        return Path(named[0] if len(named) == 1 else DEFAULT_PATH)
