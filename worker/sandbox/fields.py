"""The values in a frame's header: shortened where they are written, and trusted in nothing where they are read.

Knows no torch. Every reader raises MalformedFrameError for what no honest guest sends.
"""

import json
from functools import lru_cache

from worker.sandbox.framing import HEADER_BYTES, MalformedFrameError

MESSAGE_CHARACTERS = 2000
_MAX_NAMES = 512
_NAME_CHARACTERS = 200
_LISTS = 64  # of names that are remembered: hundreds of calls of a paper run the same functions
# Controls, what turns the direction of the text around it, and what only some programs take for the end of a line.
_STEERING = (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFFFE, 0xFFFF)
_NO_CONTROLS = {
    **{code: "\ufffd" for code in _STEERING if chr(code) not in "\t\n"},
    ord("\r"): "",
}


def require(holds: bool, what: str) -> None:
    """Raises MalformedFrameError, which says what was sent, unless the condition holds."""
    if not holds:
        raise MalformedFrameError(f"the submission's process sent {what}")


def text_of(value: object, limit: int = _NAME_CHARACTERS) -> str:
    """Reads a text and makes it fit to be stored and shown: a lone surrogate or a NUL stops a database, an escape
    sequence steers a terminal.
    """
    require(isinstance(value, str) and len(value) <= limit, "a text that is too long or no text")
    text = str(value)
    if text.isascii() and text.isprintable():  # nearly all: to look at each letter of each name takes its time
        return text
    return text.encode("utf-8", "replace").decode().translate(_NO_CONTROLS)


def flag_of(value: object) -> bool:
    """Reads true or false, and takes no number for either."""
    require(isinstance(value, bool), "a flag that is not true or false")
    return bool(value)


def count_of(value: object) -> int:
    """Reads a count that a JSON number holds exactly."""
    require(type(value) is int and 0 <= value < 1 << 53, "a number of operations")
    assert isinstance(value, int)
    return value


def list_of(value: object) -> list[object]:
    """Reads a list of bounded length; its items are still to be checked."""
    require(isinstance(value, list) and len(value) <= _MAX_NAMES, "a list that is too long or no list")
    assert isinstance(value, list)
    return value


def names_of(value: object) -> frozenset[str]:
    """Reads a list of names."""
    names = tuple(list_of(value))
    require({*map(type, names)} <= {str}, "a name that is no text")
    return _checked(names)


@lru_cache(maxsize=_LISTS)
def _checked(names: tuple[object, ...]) -> frozenset[str]:
    return frozenset(map(text_of, names))


def short(text: str) -> str:
    """Cuts a name to the length that readers accept."""
    return text[:_NAME_CHARACTERS].encode("utf-8", "replace").decode()


@lru_cache(maxsize=_LISTS)
def short_names(names: frozenset[str]) -> tuple[str, ...]:
    """Keeps as many names as fit the header: a submission may have thousands of functions."""
    kept, room = [], HEADER_BYTES // 8
    for name in sorted(map(short, names))[:_MAX_NAMES]:
        room -= len(json.dumps(name)) + 1
        if room < 0:
            break
        kept.append(name)
    return tuple(kept)
