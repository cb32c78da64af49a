"""The challenges of this installation, read once at start. Knows the public part of a challenge folder only."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.problems import NotFound
from grader.challenge import Challenge, load_challenges
from grader.hunt import HuntBank
from grader.questions import QuestionBank


@dataclass(frozen=True)
class Entry:
    """A challenge, its questions and its bug hunt."""

    challenge: Challenge
    questions: QuestionBank
    hunt: HuntBank

    @property
    def slug(self) -> str:
        """The challenge's slug."""
        return self.challenge.slug


class Catalogue:
    """All challenges, by slug."""

    def __init__(self, root: Path) -> None:
        """Raises grader's ManifestError when a folder is broken: better no service than half a one."""
        self._entries = {
            slug: Entry(challenge, QuestionBank.load(challenge.questions_path), HuntBank.load(challenge.hunt_folder))
            for slug, challenge in load_challenges(root).items()
        }

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def get(self, slug: str) -> Entry:
        """Returns the challenge of that slug. Raises NotFound."""
        try:
            return self._entries[slug]
        except KeyError:
            names = ", ".join(self._entries)
            raise NotFound(f"There is no challenge {slug[:64]!r}. Available: {names}.") from None
