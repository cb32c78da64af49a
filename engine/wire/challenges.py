"""Challenges as the server tells them."""

from typing import Annotated

from pydantic import Field

from engine.wire.base import Wire
from engine.wire.paths import ProjectPath


class ChallengeItem(Wire):
    """A challenge in a list."""

    slug: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]  # files are called by it
    title: str
    summary: str = ""
    upload: str
    default_path: ProjectPath
    max_score: float


class ChallengeList(Wire):
    """All challenges of the server."""

    items: tuple[ChallengeItem, ...]


class FamilyItem(Wire):
    """A group of tests, by the name that students read."""

    id: str
    title: str


class ChallengeDetail(ChallengeItem):
    """A challenge with its text and the modules that are laid beside the student's file."""

    spec: str
    families: tuple[FamilyItem, ...] = ()
    libraries: dict[ProjectPath, str] = Field(default_factory=dict)

    def titles(self) -> dict[str, str]:
        """The families' names, by id."""
        return {family.id: family.title for family in self.families}
