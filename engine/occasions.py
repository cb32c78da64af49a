"""What `engine watch` waits for: the file was saved, or the student typed a line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

from watchfiles import watch


@dataclass(frozen=True)
class Saved:
    """A file beside the watched one, or itself, has another content."""


@dataclass(frozen=True)
class Typed:
    """A line; None at the end of the input."""

    line: str | None


Occasion = Saved | Typed


@contextmanager
def occasions(file: Path) -> Iterator[SimpleQueue[Occasion]]:
    """What happens, in its order, for as long as the context lasts. Modules in the file's folder count as well: it may
    import them.
    """
    happened: SimpleQueue[Occasion] = SimpleQueue()
    stop = Event()
    watcher = Thread(target=_note_saves, args=(file.resolve().parent, happened, stop), daemon=True)
    Thread(target=_note_lines, args=(happened,), daemon=True).start()
    watcher.start()
    try:
        yield happened
    finally:
        stop.set()
        watcher.join()


def _note_saves(folder: Path, happened: SimpleQueue[Occasion], stop: Event) -> None:
    # Editors write in several steps: what happens within a moment is one save.
    for changes in watch(folder, stop_event=stop, step=20, debounce=400, rust_timeout=200, raise_interrupt=False):
        if any(path.endswith((".py", ".ipynb")) for _, path in changes):
            happened.put(Saved())


def _note_lines(happened: SimpleQueue[Occasion]) -> None:
    # Unbuffered: a thread that waits in a buffered stdin holds its lock, and Python could not end.
    with FileIO(sys.stdin.fileno(), closefd=False) as typed:
        while line := typed.readline():
            happened.put(Typed(line.decode(errors="replace").strip()))
    happened.put(Typed(None))
