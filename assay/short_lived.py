"""For a command that is over in two seconds: what Python does for processes that live long costs it a fifth of them."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def imports_that_stay() -> Iterator[None]:
    """Imports without the garbage collector, which would look through all of it again and again, now and later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def leave() -> NoReturn:
    """Ends the process with exit code 0, and lets the kernel free its memory. Nothing may be left to be cleaned up."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
