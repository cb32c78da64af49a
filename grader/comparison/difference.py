"""Where does plain data differ from what is right? The first place, by a path, and what is there, in words."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from grader.comparison.problems import describe
from grader.comparison.tolerance import bound, compare_values, share_of, told_apart
from grader.guest.values import Array, Collection, Data, Entries, Handle, Items, Raised, Record, Thing
from grader.line_diff import common
from grader.paper.mismatch import Mismatch

SHOWN = 60  # characters of a value in a message
AROUND = 20  # characters before the place where two texts part


@dataclass(frozen=True)
class Difference:
    """What was compared at one place: wrong where there is a mismatch, else how near the numbers came."""

    path: str = ""
    mismatch: Mismatch | None = None
    message: str = ""  # goes on after "Wrong result at PATH: "; a whole sentence where it is one of its own
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The error in tolerances; 0 where it is not a matter of numbers."""
        return share_of(self.metrics)


@dataclass(frozen=True)
class Differ:
    """Compares by a case's tolerance: `growth` roundings of the largest expected value, or of `scale`.

    `dtypes` are those that floating tensors may have; without any, they have the reference's. With `is_exact`, nothing
    is rounding.
    """

    growth: float
    scale: float = 0.0
    dtypes: frozenset[torch.dtype] = frozenset()
    is_exact: bool = False

    def first(self, right: Data, found: Data) -> Difference:
        """The first difference; where there is none, the place where numbers came nearest to one."""
        nearest = Difference()
        for one in self._walk(right, found, ""):
            if one.mismatch is not None:
                return one
            nearest = max(nearest, one, key=lambda item: item.share)
        return nearest

    def _walk(self, right: Data, found: Data, path: str) -> Iterator[Difference]:
        """Every place, in order; what follows a difference is not asked for."""
        match right, found:
            case Thing(), Thing():
                return
            case _ if not is_same_kind(right, found):
                yield Difference(path, Mismatch.KIND, f"got {told(found)}, expected {told(right)}")
            case Items() as one, Items() as other:
                yield from self._items(one, other, path)
            case Entries() as one, Entries() as other:
                yield from self._entries(one, other, path)
            case Record() as one, Record() as other:
                yield from self._record(one, other, path)
            case Array(one), Array(other):
                yield self._tensor(one, other, path)
            case Tensor() as one, Tensor() as other:
                yield self._tensor(one, other, path)
            case Raised(one), Raised(other):
                if one.type != other.type:
                    yield Difference(path, Mismatch.RAISED_OTHERWISE, f"got {told(found)}, expected {told(right)}")
            case float(), int() | float():
                yield self._number(right, float(found), path)
            case _ if right != found:
                yield Difference(path, Mismatch.VALUES, _apart(right, found))

    def _items(self, right: Items, found: Items, path: str) -> Iterator[Difference]:
        """What both have comes first: a wrong item says more than a wrong number of them."""
        for place, (one, other) in enumerate(zip(right.items, found.items, strict=False)):
            yield from self._walk(one, other, f"{path}[{place}]")
        if len(right.items) != len(found.items) or right.is_cut != found.is_cut:
            yield Difference(
                path, Mismatch.SHAPE, f"got {_counted(found)}, expected {_counted(right)}{_agreeing(right, found)}"
            )

    def _entries(self, right: Entries, found: Entries, path: str) -> Iterator[Difference]:
        """In whatever order the keys are."""
        wanted = {key_of(key): (key, item) for key, item in right.pairs}
        given = {key_of(key): (key, item) for key, item in found.pairs}
        for name, (key, item) in wanted.items():
            if name not in given:
                yield Difference(path, Mismatch.KEYS, f"the key {_short(written(key))} is missing")
                return
            yield from self._walk(item, given[name][1], f"{path}[{_short(written(key))}]")
        for name, (key, _) in given.items():
            if name not in wanted:
                yield Difference(path, Mismatch.KEYS, f"the key {_short(written(key))} should not be there")

    def _record(self, right: Record, found: Record, path: str) -> Iterator[Difference]:
        given = dict(found.fields)
        for name, item in right.fields:
            if name not in given:
                yield Difference(path, Mismatch.KEYS, f"the field `{name}` is missing")
                return
            yield from self._walk(item, given[name], f"{path}.{name}")

    def _number(self, right: float, found: float, path: str) -> Difference:
        if right == found or (math.isnan(right) and math.isnan(found)):
            return Difference(path)
        if not math.isfinite(right) or not math.isfinite(found):
            mismatch = Mismatch.VALUES if math.isfinite(found) else Mismatch.NOT_FINITE
            return Difference(path, mismatch, f"got {found!r}, expected {right!r}")
        error, allowed = abs(found - right), self._bound(abs(right))
        metrics = {"max_abs_error": error, "tolerance": allowed} if allowed else {}
        if error <= allowed:
            return Difference(path, metrics=metrics)
        got, wanted = told_apart(found, right)
        explains = f"; rounding explains {allowed:.1g}" if allowed else ""
        return Difference(path, Mismatch.VALUES, f"got {got}, expected {wanted}{explains}", metrics)

    def _bound(self, largest: float) -> float:
        return 0.0 if self.is_exact else bound(largest, self.growth, self.scale)

    def _tensor(self, right: Tensor, found: Tensor, path: str) -> Difference:
        dtypes = self.dtypes if self.dtypes and right.is_floating_point() else {right.dtype}
        if found.shape != right.shape:
            return Difference(path, Mismatch.SHAPE, f"got shape {tuple(found.shape)}, expected {tuple(right.shape)}")
        if found.dtype not in dtypes:
            expected = " or ".join(sorted(map(str, dtypes)))
            return Difference(path, Mismatch.DTYPE, f"got dtype {found.dtype}, expected {expected}")
        if self.is_exact or not right.is_floating_point():
            return _exactly(right, found, path)
        finite = torch.isfinite(right)
        if not finite.all():
            if _exactly(right[~finite], found[~finite], path).mismatch is not None:
                return Difference(
                    path, Mismatch.VALUES, "got numbers where NaN or infinity is expected, or the other way"
                )
            right, found = right[finite], found[finite]
        if not right.dim() and right.numel():
            return self._number(right.item(), found.item(), path)
        finding = compare_values(right, found, self.growth, "value", self.scale)
        return Difference(path, finding.mismatch, _within(finding.message), finding.metrics)


def _within(message: str) -> str:
    """What comparing tensors says, behind the place where this tensor is."""
    return message.removesuffix(".").removeprefix("The value is ").replace(" of the value are", " are")


def _exactly(right: Tensor, found: Tensor, path: str) -> Difference:
    wrong = (right != found) & ~(right.isnan() & found.isnan())
    if not wrong.any():
        return Difference(path)
    place = tuple(int(index) for index in wrong.nonzero()[0])
    where = f"{path}[{', '.join(map(str, place))}]" if place else path
    return Difference(where, Mismatch.VALUES, f"got {found[place].item()!r}, expected {right[place].item()!r}")


def is_same_kind(right: Data, found: Data) -> bool:
    """A whole number will do where any number is asked for; a bool is no number."""
    if isinstance(right, float):
        return isinstance(found, int | float) and not isinstance(found, bool)
    if isinstance(right, Items) and isinstance(found, Items):
        return right.kind is found.kind
    return type(right) is type(found)


def key_of(key: Data) -> str:
    """A text that is the same for equal keys, and for no others: a hostile key is hashed as a text alone."""
    match key:
        case Items(kind, items):
            return f"{kind}({','.join(map(key_of, items))})"
        case None | bool() | int() | float() | str() | bytes():
            return f"{type(key).__name__}:{key!r}"
        case _:
            return f"{type(key).__name__}"


def told(value: Data) -> str:
    """A value in a few words of a message. Whatever is in it is escaped."""
    match value:
        case Thing(name):
            return f"an object of type `{name}`"
        case Raised(problem):
            return describe(problem)
        case Tensor():
            return f"a tensor of shape {tuple(value.shape)}"
        case Array(tensor):
            return f"a NumPy array of shape {tuple(tensor.shape)}"
        case Items():
            return f"{_counted(value)}: {_short(written(value))}" if value.items else _counted(value)
        case Entries():
            return f"a dict of {len(value.pairs)}: {_short(written(value))}"
        case Record(name):
            return f"a dataclass `{name}`"
        case _:
            return _short(repr(value))


def written(value: Data) -> str:
    """Writes a value as Python would, and cuts off what is too long."""
    return "".join(_cut(_pieces(value)))


def _cut(pieces: Iterator[str]) -> Iterator[str]:
    room = 8 * SHOWN
    for piece in pieces:
        yield piece
        room -= len(piece)
        if room < 0:
            return


def _pieces(value: Data) -> Iterator[str]:
    match value:
        case Items(kind, items):
            first, last = "()" if kind is Collection.TUPLE else "[]"
            yield first
            for place, item in enumerate(items):
                yield ", " if place else ""
                yield from _pieces(item)
            yield ",)" if kind is Collection.TUPLE and len(items) == 1 else last
        case Entries(pairs):
            yield "{"
            for place, (key, item) in enumerate(pairs):
                yield ", " if place else ""
                yield from _pieces(key)
                yield ": "
                yield from _pieces(item)
            yield "}"
        case str() | bytes():
            yield repr(value[: 4 * SHOWN])
        case None | bool() | int() | float():
            yield repr(value)
        case Handle():
            yield "..."
        case _:
            yield told(value)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _counted(items: Items) -> str:
    article = "an" if items.kind is Collection.ITERATOR else "a"
    count = f"more than {len(items.items)}" if items.is_cut else f"{len(items.items)}"
    return f"{article} {items.kind} of {count}"


def _agreeing(right: Items, found: Items) -> str:
    both = min(len(right.items), len(found.items))
    return f" (the first {both} agree)" if both else ""


def _apart(right: Data, found: Data) -> str:
    """Two values of one kind; of long texts, what is around the place where they part."""
    if isinstance(right, str | bytes) and isinstance(found, str | bytes) and max(len(right), len(found)) > AROUND:
        place = common(right, found)
        begin = max(place - AROUND, 0)
        got, wanted = (repr(text[begin : place + AROUND]) for text in (found, right))
        return f"got ...{got}..., expected ...{wanted}... (they part at {place}, of {len(found)} and {len(right)})"
    return f"got {told(found)}, expected {told(right)}"
