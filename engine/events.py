"""Server-sent events (the WHATWG format) from bytes. Knows no HTTP."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

HEARTBEAT: Final = "heartbeat"  # our name for a comment line: the server says that it is still there
_END_OF_LINE: Final = re.compile(r"\r\n|\n|\r")
_LONGEST_LINE: Final = 1 << 20
_LONGEST_EVENT: Final = 1 << 20


@dataclass(frozen=True)
class Event:
    """`id` is the last one that the stream named, to resume after it."""

    kind: str
    data: str
    id: str | None


class EventParser:
    """Feed it the bytes as they come; it gives each event once it is complete."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._rest = ""
        self._kind = ""
        self._data: list[str] = []
        self._length = 0  # of the event's data
        self._id: str | None = None

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yields the events that are complete with these bytes."""
        text = self._rest + self._decoder.decode(chunk)
        held = "\r" if text.endswith("\r") else ""  # it may be half of \r\n
        *lines, rest = _END_OF_LINE.split(text.removesuffix(held))
        self._rest = (rest + held)[-_LONGEST_LINE:]
        for line in lines:
            yield from self._line(line)

    def _line(self, line: str) -> Iterator[Event]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            yield from self._end()
        elif not name:
            yield Event(HEARTBEAT, value, self._id)
        elif name == "event":
            self._kind = value
        elif name == "data":
            self._length += len(value) + 1
            if self._length <= _LONGEST_EVENT:
                self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value

    def _end(self) -> Iterator[Event]:
        if self._data:
            yield Event(self._kind or "message", "\n".join(self._data), self._id)
        self._kind, self._data, self._length = "", [], 0
