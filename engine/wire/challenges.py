"""Challenges as the server tells them."""

from typing import Annotated

from pydantic import Field

from engine.naming import SLUG
from engine.wire.base import Wire
from engine.wire.paths import ProjectPath


class ChallengeItem(Wire):
    """A challenge in a list."""

    slug: Annotated[str, Field(pattern=f"^{SLUG}$")]  # files are called by it
    title: str
    summary: str = ""
    upload: str
    default_path: ProjectPath
    max_score: float


class FamilyItem(Wire):
    """A group of tests, by the name that students read."""

    id: str
    title: str


class EntryPointItem(Wire):
    """A name that the file must define."""

    name: str
    parameters: tuple[str, ...] = ()
    optional: int = 0
    keywords: tuple[str, ...] = ()
    kind: str = "function"
    methods: tuple[str, ...] = ()


class Source(Wire):
    """What the file may use."""

    modules: tuple[str, ...]
    max_bytes: int


class ChallengeDetail(ChallengeItem):
    """A challenge with its text, what it asks of a file, and the modules that are laid beside it. Servers before 0.1.0
    say less.
    """

    spec: str
    families: tuple[FamilyItem, ...] = ()
    entry_points: tuple[EntryPointItem, ...] = ()
    source: Source | None = None
    starter: str = ""
    libraries: dict[ProjectPath, str] = Field(default_factory=dict)

    @property
    def modules(self) -> tuple[str, ...]:
        """What the file may import besides the standard library and the student's own; nothing where it is not told."""
        return self.source.modules if self.source else ()

    def titles(self) -> dict[str, str]:
        """The families' names, by id."""
        return {family.id: family.title for family in self.families}
