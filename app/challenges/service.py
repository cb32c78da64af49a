"""The challenges that are served: the installed ones, read once at start, and those of exercise repositories."""

from collections.abc import Iterator
from pathlib import Path

from app.challenges.entry import Entry as Entry  # noqa: PLC0414  what a catalogue is made of
from app.challenges.entry import entry_of
from app.exercises.shelf import Shelf
from app.problems import NotFound
from grader.challenge import load_challenges


class Catalogue:
    """All challenges, by slug."""

    def __init__(self, root: Path, shelf: Shelf | None = None) -> None:
        """Raises grader's ManifestError when a folder is broken: better no service than half a one."""
        self._installed = {slug: entry_of(challenge) for slug, challenge in load_challenges(root).items()}
        self._shelf = shelf

    def __iter__(self) -> Iterator[Entry]:
        yield from self._installed.values()
        if self._shelf is not None:
            yield from self._shelf.current().values()

    def get(self, slug: str) -> Entry:
        """Returns the challenge of that slug. Raises NotFound."""
        found = self._installed.get(slug)
        if found is None and self._shelf is not None and "." in slug:
            found = self._shelf.current().get(slug)
        if found is None:
            names = ", ".join(entry.slug for entry in self)
            raise NotFound(f"There is no challenge {slug[:64]!r}. Available: {names}.")
        return found

    def refresh(self) -> None:
        """Reads now which commits of exercise repositories are live."""
        if self._shelf is not None:
            self._shelf.refresh()
