"""What `engine watch` waits for: the file was saved, or the student pressed a key."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from io import FileIO
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

from watchfiles import watch

try:
    import termios
    import tty
except ImportError:  # Windows: there a key counts once Enter follows it
    termios = None  # type: ignore[assignment]


class Occasion(Enum):
    """What happened."""

    SAVED = auto()  # the file, or one beside it, has another content
    SUBMIT = auto()
    QUIT = auto()


KEYS = {
    b"\n": Occasion.SUBMIT,
    b"\r": Occasion.SUBMIT,
    b"q": Occasion.QUIT,
    b"Q": Occasion.QUIT,
    b"\x04": Occasion.QUIT,
}


@contextmanager
def occasions(folder: Path) -> Iterator[SimpleQueue[Occasion]]:
    """Gives a queue of what happens while the context lasts. All modules in the folder count: a file that is watched
    may import them.
    """
    happened: SimpleQueue[Occasion] = SimpleQueue()
    stop = Event()
    watcher = Thread(target=_note_saves, args=(folder, happened, stop), daemon=True)
    watcher.start()
    try:
        with _single_keys():
            Thread(target=_note_keys, args=(happened,), daemon=True).start()
            yield happened
    finally:
        stop.set()
        watcher.join()


def _note_saves(folder: Path, happened: SimpleQueue[Occasion], stop: Event) -> None:
    # Editors write in several steps: what happens within a moment is one save.
    for changes in watch(folder, stop_event=stop, step=20, debounce=400, rust_timeout=200, raise_interrupt=False):
        if any(path.endswith((".py", ".ipynb")) for _, path in changes):
            happened.put(Occasion.SAVED)


def forget(happened: SimpleQueue[Occasion]) -> None:
    """Empties the queue of what happened while nobody looked, but for the wish to quit: Enter pressed twice is one
    submission.
    """
    with suppress(Empty):
        while (occasion := happened.get_nowait()) is not Occasion.QUIT:
            pass
        happened.put(occasion)


@contextmanager
def _single_keys() -> Iterator[None]:
    """Gives each key as it is pressed, not line by line, and shows none; Ctrl-C stays what it is."""
    if termios is None:
        yield
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _note_keys(happened: SimpleQueue[Occasion]) -> None:
    # Unbuffered: a thread that waits in a buffered stdin holds its lock, and Python could not end.
    with FileIO(sys.stdin.fileno(), closefd=False) as typed:
        while key := typed.read(1):
            if key in KEYS:
                happened.put(KEYS[key])
    happened.put(Occasion.QUIT)
