"""Unix sockets in folders with long names: the kernel takes 107 bytes of a path, and a data directory may have more."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST = 107


@contextmanager
def short_enough(path: Path) -> Iterator[str]:
    """Gives the path, or a shorter one to the same place: through its folder, opened. Raises OSError."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
