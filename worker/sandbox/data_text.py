"""Plain data (`grader.guest.values`) as JSON text beside tensors. Reading trusts nothing: what a guest sends is bounded
before and while it is read, and no class, name or pickle of its choosing is ever looked up.

A node is null, true, false, a number or a text by itself, else a list that begins with its tag.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from grader.guest.values import (
    MOST_BITS,
    MOST_DEPTH,
    MOST_TENSORS,
    MOST_VALUES,
    Array,
    Collection,
    Data,
    Entries,
    Handle,
    Items,
    Raised,
    Record,
    Thing,
)
from worker.sandbox.fields import count_of, flag_of, require, short, text_of
from worker.sandbox.framing import MalformedFrameError
from worker.sandbox.problems import decode_problem, encode_problem

MOST_BYTES = 2 << 20
TAGS = {"l": Collection.LIST, "t": Collection.TUPLE, "i": Collection.ITERATOR}
_TAG_OF = {kind: tag for tag, kind in TAGS.items()}


def write(values: tuple[Data, ...]) -> tuple[bytes, list[Tensor]]:
    """Writes data as text, and returns the tensors that it speaks of by number. Raises ValueError where it is too long
    to be read.
    """
    tensors: list[Tensor] = []
    text = json.dumps([_written(value, tensors) for value in values], separators=(",", ":")).encode()
    if len(text) > MOST_BYTES:
        raise ValueError(f"its values take {len(text):,} bytes, and {MOST_BYTES:,} are allowed")
    if len(tensors) > MOST_TENSORS:
        raise ValueError(f"it has {len(tensors)} tensors, and {MOST_TENSORS} are allowed")
    return text, tensors


def _written(value: Data, tensors: list[Tensor]) -> Any:
    match value:
        case bytes():
            return ["b", base64.b64encode(value).decode()]
        case Tensor():
            tensors.append(value)
            return ["x", len(tensors) - 1]
        case Array(tensor):
            tensors.append(tensor)
            return ["a", len(tensors) - 1]
        case Items(kind, items, is_cut):
            return [_TAG_OF[kind], is_cut, *(_written(item, tensors) for item in items)]
        case Entries(pairs):
            return ["d", *([_written(key, tensors), _written(item, tensors)] for key, item in pairs)]
        case Record(name, fields):
            return ["r", short(name), *([short(field), _written(item, tensors)] for field, item in fields)]
        case Thing(name):
            return ["o", short(name)]
        case Raised(problem):
            return ["e", encode_problem(problem)]
        case Handle(number):
            return ["h", number]
        case _:
            return value


def read(text: bytes, tensors: Mapping[int, Tensor], *, has_handles: bool = False) -> tuple[Data, ...]:
    """Reads what `write` wrote. Raises MalformedFrameError for any other text; handles go to a guest, and never come
    back.
    """
    require(len(text) <= MOST_BYTES, "values that are too long")
    try:
        nodes = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedFrameError(f"values that are no JSON: {error}") from error
    require(isinstance(nodes, list), "values that are no list")
    reader = _Reader(tensors, has_handles)
    values = tuple(reader.value(node, 0) for node in nodes)
    require(reader.used == len(tensors), "a tensor that no value speaks of")
    return values


class _Reader:
    """Reads the values of one frame, and counts what they hold."""

    def __init__(self, tensors: Mapping[int, Tensor], has_handles: bool) -> None:
        self._tensors, self._has_handles = tensors, has_handles
        self._values = self.used = 0
        self._by_tag: Mapping[str, Callable[[str, list[Any], int], Data]] = {
            "b": self._bytes,
            "x": self._tensor,
            "a": self._tensor,
            **dict.fromkeys(TAGS, self._items),
            "d": self._entries,
            "r": self._record,
            "o": self._thing,
            "e": self._raised,
            "h": self._handle,
        }

    def value(self, node: Any, depth: int) -> Data:
        self._values += 1
        require(depth <= MOST_DEPTH, "values that are nested too deeply")
        require(self._values <= MOST_VALUES, "too many values")
        if node is None or isinstance(node, bool | float | str):
            return node
        if isinstance(node, int):
            require(node.bit_length() <= MOST_BITS, "a whole number that is too large")
            return node
        is_tagged = isinstance(node, list) and bool(node) and isinstance(node[0], str) and node[0] in self._by_tag
        require(is_tagged, "no value")
        return self._by_tag[node[0]](node[0], node[1:], depth + 1)

    def _bytes(self, _: str, rest: list[Any], __: int) -> Data:
        require(len(rest) == 1 and isinstance(rest[0], str), "bytes that are no text")
        try:
            return base64.b64decode(rest[0], validate=True)
        except (binascii.Error, ValueError) as error:
            raise MalformedFrameError(f"bytes that are not in base 64: {error}") from error

    def _tensor(self, tag: str, rest: list[Any], _: int) -> Data:
        """Each tensor once, in order: no small text makes one large tensor into many."""
        require(len(rest) == 1 and count_of(rest[0]) == self.used < len(self._tensors), "a tensor out of order")
        self.used += 1
        tensor = self._tensors[self.used - 1]
        return tensor if tag == "x" else Array(tensor)

    def _items(self, tag: str, rest: list[Any], depth: int) -> Data:
        require(bool(rest), "items without a sign of their end")
        is_cut = flag_of(rest[0])
        require(not is_cut or tag == "i", "a list that is cut off")
        return Items(TAGS[tag], tuple(self.value(node, depth) for node in rest[1:]), is_cut)

    def _entries(self, _: str, rest: list[Any], depth: int) -> Data:
        return Entries(tuple((self.value(key, depth), self.value(item, depth)) for key, item in map(_pair, rest)))

    def _record(self, _: str, rest: list[Any], depth: int) -> Data:
        require(bool(rest), "an object without a name")
        fields = tuple((text_of(name), self.value(item, depth)) for name, item in map(_pair, rest[1:]))
        return Record(text_of(rest[0]), fields)

    def _thing(self, _: str, rest: list[Any], __: int) -> Data:
        require(len(rest) == 1, "an object with more than a name")
        return Thing(text_of(rest[0]))

    def _raised(self, _: str, rest: list[Any], __: int) -> Data:
        try:
            problem = decode_problem(rest[0]) if len(rest) == 1 else None
        except (KeyError, TypeError) as error:
            raise MalformedFrameError(f"an exception with a missing or mistyped field: {error!r}") from error
        require(problem is not None, "an exception that is none")
        assert problem is not None
        return Raised(problem)

    def _handle(self, _: str, rest: list[Any], __: int) -> Data:
        require(self._has_handles and len(rest) == 1, "the handle of an object")
        return Handle(count_of(rest[0]))


def _pair(node: Any) -> list[Any]:
    require(isinstance(node, list) and len(node) == 2, "a pair that is none")
    return list(node)
