"""What a zygote imports ahead though few submissions need it: einx and torch's compiler, a second and a half.

A zygote without them serves any submission too: what it names it imports itself, in its own time. Knows no torch.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

SOURCE_BYTES: Final = 1 << 20  # of a file, in which to look: more than any challenge takes

# einx, and what of torch brings its compiler or is changed when that is imported.
_NAMES: Final = re.compile(
    rb"\b(einx|functorch|_?dynamo|compiler?|checkpoint|optim|jit|fx|export|custom_op|distributions|flex_attention)\b"
)


def is_needed_by(files: Iterable[Path]) -> bool:
    """Whether one of these files may use it, by the words in them. What cannot be read is told by whoever needs it."""
    return any(_NAMES.search(source) for source in _sources(files))


def is_needed_in(folder: Path) -> bool:
    """Whether a Python file of this folder may use it: of an exercise, or of several. Links may lead anywhere, and are
    not followed.
    """
    return is_needed_by(path for path in folder.rglob("*.py") if not path.is_symlink())


def _sources(files: Iterable[Path]) -> Iterator[bytes]:
    for path in files:
        with suppress(OSError):
            if path.is_file():
                with path.open("rb") as file:
                    yield file.read(SOURCE_BYTES)
