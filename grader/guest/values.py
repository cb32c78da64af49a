"""What calls take and give besides tensors, as plain data: a copy that nothing changes later, bounded in size.

Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from grader.guest.problem import Problem

MOST_DEPTH = 32
MOST_VALUES = 100_000
MOST_TENSORS = 512
MOST_BITS = 1023  # of a whole number: each of them can be compared with a float
MOST_TAKEN = 1000  # of an iterator, where a call does not say how much


class NotDataError(Exception):
    """What was returned is no data, or too much of it: told in half a sentence that goes on after "returned"."""


class Collection(StrEnum):
    """What holds items in their order."""

    LIST = "list"
    TUPLE = "tuple"
    ITERATOR = "iterator"


@dataclass(frozen=True)
class Handle:
    """An object that stays in the sandbox: what the move with this number gave. Never part of an outcome."""

    number: int


@dataclass(frozen=True, eq=False)
class Array:
    """A NumPy array, as a tensor of its values."""

    tensor: Tensor


@dataclass(frozen=True, eq=False)
class Items:
    """A list, a tuple, or what was taken of an iterator; `is_cut` where that had not ended."""

    kind: Collection
    items: tuple["Data", ...]
    is_cut: bool = False


@dataclass(frozen=True, eq=False)
class Entries:
    """A dictionary, as pairs: a hostile one's keys are never hashed."""

    pairs: tuple[tuple["Data", "Data"], ...]


@dataclass(frozen=True, eq=False)
class Record:
    """A dataclass's object, by its fields."""

    type: str
    fields: tuple[tuple[str, "Data"], ...]


@dataclass(frozen=True)
class Thing:
    """Any other object, of which nothing but the name of its type leaves the sandbox."""

    type: str


@dataclass(frozen=True)
class Raised:
    """An exception where one may be the answer."""

    problem: Problem


Data = None | bool | int | float | str | bytes | Tensor | Array | Items | Entries | Record | Thing | Raised | Handle
_DATA = Array | Items | Entries | Record | Thing | Raised | Handle


def frozen(value: object, most_taken: int = MOST_TAKEN) -> Data:
    """A copy as plain data; of an iterator, so many items are taken. What is data already stays as it is.

    Raises NotDataError for what is nested too deeply or too large, and whatever an iterator raises.
    """
    return _Freezer(most_taken).frozen(value, 0)


class _Freezer:
    """Counts what one copy holds."""

    def __init__(self, most_taken: int) -> None:
        self._most_taken = most_taken
        self._values = self._tensors = 0

    def frozen(self, value: object, depth: int) -> Data:
        self._values += 1
        if depth > MOST_DEPTH:
            raise NotDataError(f"something nested more than {MOST_DEPTH} deep")
        if self._values > MOST_VALUES:
            raise NotDataError(f"more than {MOST_VALUES:,} values")
        if value is None or isinstance(value, bool | _DATA):
            return value
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, int | float | str | bytes):
            return _plain(value)
        return self._holding(value, depth + 1)

    def _holding(self, value: object, depth: int) -> Data:
        """What is made of parts."""
        match value:
            case Tensor():
                return self._tensor(value)
            case np.ndarray():
                return Array(self._tensor(_of_array(value)))
            case list():
                return Items(Collection.LIST, self._all(iter(value), depth))
            case tuple():
                return Items(Collection.TUPLE, self._all(iter(value), depth))
            case dict():
                pairs = tuple((self.frozen(key, depth), self.frozen(item, depth)) for key, item in value.items())
                return Entries(pairs)
            case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
                fields = [field.name for field in dataclasses.fields(value)]
                held = tuple((name, self.frozen(getattr(value, name), depth)) for name in fields)
                return Record(type(value).__name__, held)
            case Iterator():
                items = self._all(islice(value, self._most_taken + 1), depth)
                return Items(Collection.ITERATOR, items[: self._most_taken], len(items) > self._most_taken)
            case _:
                return Thing(type(value).__name__)

    def _all(self, values: Iterator[object], depth: int) -> tuple[Data, ...]:
        return tuple(self.frozen(value, depth) for value in values)

    def _tensor(self, tensor: Tensor) -> Tensor:
        self._tensors += 1
        if self._tensors > MOST_TENSORS:
            raise NotDataError(f"more than {MOST_TENSORS} tensors")
        with torch.no_grad(), torch._C.DisableTorchFunctionSubclass():
            return tensor.as_subclass(Tensor).detach().clone()


def _plain(value: int | float | str | bytes) -> Data:
    """Of its own type, where it is of a class derived from that."""
    if isinstance(value, int):
        whole = int.__int__(value)
        if whole.bit_length() > MOST_BITS:
            raise NotDataError(f"a whole number of more than {MOST_BITS} bits")
        return whole
    if isinstance(value, float):
        return float.__float__(value)
    return str.__getitem__(value, slice(None)) if isinstance(value, str) else bytes.__getitem__(value, slice(None))


def _of_array(array: np.ndarray[Any, Any]) -> Tensor:
    if array.dtype.kind not in "bif" and array.dtype != np.uint8:
        raise NotDataError(f"an array of dtype {array.dtype}, which cannot be compared")
    try:
        return torch.from_numpy(np.array(array, order="C"))
    except TypeError as error:
        raise NotDataError(f"an array of dtype {array.dtype}, which cannot be compared") from error


def thawed(data: Data, objects: Callable[[int], object]) -> Any:
    """What a call is given: everything anew, so that no call reaches another's, and objects by their handles."""
    match data:
        case Handle(number):
            return objects(number)
        case Tensor():
            return data.clone()
        case Array(tensor):
            return tensor.numpy().copy()
        case Items(kind, items):
            made = [thawed(item, objects) for item in items]
            return made if kind is Collection.LIST else tuple(made) if kind is Collection.TUPLE else iter(made)
        case Entries(pairs):
            return {thawed(key, objects): thawed(item, objects) for key, item in pairs}
        case Record() | Thing() | Raised():
            raise TypeError("an object of a class is made in the sandbox, by a call")
        case _:
            return data


def mapped(data: Data, change: Callable[[Tensor], Tensor]) -> Data:
    """The same with every tensor changed."""
    match data:
        case Tensor():
            return change(data)
        case Array(tensor):
            return Array(change(tensor))
        case Items():
            return replace(data, items=tuple(mapped(item, change) for item in data.items))
        case Entries(pairs):
            return Entries(tuple((key, mapped(item, change)) for key, item in pairs))
        case Record(name, fields):
            return Record(name, tuple((field, mapped(item, change)) for field, item in fields))
        case _:
            return data


def count(data: Data) -> int:
    """Numbers and other single values in it."""
    match data:
        case Tensor():
            return data.numel()
        case Array(tensor):
            return tensor.numel()
        case Items(_, items):
            return sum(map(count, items))
        case Entries(pairs):
            return sum(count(item) for _, item in pairs)
        case Record(_, fields):
            return sum(count(item) for _, item in fields)
        case _:
            return 1


def tensors_within(data: Data) -> Iterator[Tensor]:
    """Every tensor and array, in order."""
    found: list[Tensor] = []

    def note(tensor: Tensor) -> Tensor:
        found.append(tensor)
        return tensor

    mapped(data, note)
    yield from found
