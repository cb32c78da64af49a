"""Traces one call: lightly, which torch functions were used; fully, also which operations were dispatched, and which
of the student's functions ran. It can alter, too: a function whose altered result changes nothing was called for show.

Holds nothing secret. A hostile submission can blind it; it then shows less than was done, and the source still
shows it.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from enum import Enum, auto
from pathlib import Path
from threading import get_ident
from types import FrameType
from typing import Any

import torch
from torch import Tensor, nn

from grader.guest.execution import Detail, Trace, Tracing
from grader.guest.line_results import LineResults
from grader.guest.loading import Program
from grader.guest.modes import INITIALISERS, Functions, Names, is_foreign, name_of, operations
from grader.guest.own_lines import OwnLines
from grader.guest.results import Values, alter, tensors_in
from grader.guest.threads import watching

PLAIN = frozenset({Tensor, nn.Parameter, torch.Generator, float, int, bool, str, type(None)})
COMPILES = "flex_attention"  # under a mode it compiles in every call, for a second; to see it once is enough
MOST_RETURNS = 64  # of one function, kept to be looked at
LIBRARY = f"{Path(torch.__file__).parent}/"
# How torch gets from a function to its kernel: a dozen steps for each operation that is watched, and none of them work.
PLUMBING = tuple(
    f"{LIBRARY}{name}"
    for name in ("_ops.py", "_library/", "_compile.py", "_dynamo/", "utils/_python_dispatch.py", "overrides.py")
)
INSIDE = "your code inside an operation of torch"
BLINDED = "a change of the interpreter's profile hook"
UNTOLD = "a change of the interpreter's trace hook"


class Place(Enum):
    """Whose a function is, by its file; most are nobody's that matters."""

    OWN = auto()  # the student's
    SUPPORT = auto()  # of the libraries that the exercise lays beside it
    INITIALISERS = auto()
    LIBRARY = auto()  # torch's
    TEXT = auto()  # no file: code that was made of a text


class _Places(dict[str, Place | None]):
    """The place of each file, worked out once: the interpreter asks some ten thousand times in a call."""

    def __init__(self, program: Program) -> None:
        super().__init__({INITIALISERS: Place.INITIALISERS})
        self.update(dict.fromkeys(program.support, Place.SUPPORT) | dict.fromkeys(program.own, Place.OWN))

    def __missing__(self, file: str) -> Place | None:
        if file.startswith("<") and not file.startswith("<frozen"):
            return self.setdefault(file, Place.TEXT)
        is_library = file.startswith(LIBRARY) and not file.startswith(PLUMBING)
        return self.setdefault(file, Place.LIBRARY if is_library else None)


class Watch:
    """What was seen so far. Calls into the exercise's own libraries count as operations, as those of torch do."""

    def __init__(self, program: Program, tracing: Tracing) -> None:
        self.operations = operations()
        is_light = tracing.detail is Detail.LIGHT
        self.operations.alters = tracing.alters_taken_out
        self.functions = Names() if is_light else Functions(self.operations, alters=tracing.alters_taken_out)
        self._own: set[str] = set()
        self._library: set[str] = set()  # torch's functions in Python
        self._returned: dict[str, list[object]] = defaultdict(list)
        self._support_calls = 0
        self._altered = 0
        self._given: dict[int, list[Values]] = {}  # to functions whose results are to be altered, by their frames
        self._initialisers = 0  # entered and not left yet
        self._before = 0  # operations like theirs before the outermost of them
        self._is_plain = True  # whether they were given nothing that may have work of its own to do
        self._program = program
        self._tracing = tracing
        self._is_full = tracing.detail is Detail.FULL
        self.own_lines = OwnLines(program, counts_lines=self._is_full) if program.support else None
        self._places = _Places(program)
        self.unseen: set[str] = set()  # where work may have been done that nothing here shows

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        """For sys.setprofile: notes the student's functions as they are entered and as they return."""
        if event == "call":
            place = self._places[frame.f_code.co_filename]
            if place is not None:
                self._enter(frame, place)
        elif event == "return":
            place = self._places[frame.f_code.co_filename]
            if place is Place.OWN or place is Place.INITIALISERS:
                self._leave(frame, place, argument)

    def _enter(self, frame: FrameType, place: Place) -> None:
        if place in (Place.OWN, Place.TEXT) and get_ident() in self.operations.inside:
            self.unseen.add(INSIDE)
        if place is Place.OWN:
            self.operations.entered += 1
            self._own.add(frame.f_code.co_qualname)
            if frame.f_code.co_qualname in self._tracing.altered:
                held = [tensor for value in frame.f_locals.values() for tensor in tensors_in(value)]
                self._given[id(frame)] = [Values(tensor.detach().clone()) for tensor in held]
        elif place is Place.SUPPORT:
            self._support_calls += 1
        elif place is Place.INITIALISERS:
            # `trunc_normal_` draws again what fell outside, oftener for a larger tensor: that is no loop over heads.
            if not self._initialisers:
                self._before, self._is_plain = self.operations.redrawing, True
            self._initialisers += 1
            self._is_plain &= PLAIN.issuperset(map(type, frame.f_locals.values()))
        elif place is Place.LIBRARY:
            self._enter_library(frame)

    def _enter_library(self, frame: FrameType) -> None:
        """Nothing of what is merely imported, or made ready, has a tensor."""
        name = frame.f_code.co_qualname
        if name not in self._library and any(map(_holds_tensor, frame.f_locals.values())):
            self._library.add(name)

    def _leave(self, frame: FrameType, place: Place, result: object) -> None:
        name = frame.f_code.co_qualname
        if place is Place.OWN:
            if name in self._tracing.altered and not self._gives_back(frame, result):
                self._altered += alter(result)
            if self._is_full and len(self._returned[name]) < MOST_RETURNS:
                self._returned[name].append(result)
        else:
            self._initialisers -= 1
            is_discounted = self._is_plain and not self._initialisers
            self.operations.count -= self.operations.redrawing - self._before if is_discounted else 0

    def _gives_back(self, frame: FrameType, result: object) -> bool:
        """Whether it gives what it was given: it was called for show, and whoever wants it can have it altered."""
        given = self._given.pop(id(frame), [])
        return any(Values(tensor).are_those_of(one) for tensor in tensors_in(result) for one in given)

    def kept(self, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Copies without a graph. What is written into the result once nobody watches is not what the call gave."""
        count = self.operations.count
        copies = tuple(output.detach().clone() for output in outputs)
        self.operations.count = count
        return copies

    def trace(self, result: object) -> Trace:
        """Once the watching is over. `result` is what the call returned."""
        functions = frozenset(map(name_of, self.functions.seen)) | self._library
        self._program.noticed.update(functions & {COMPILES})
        return Trace(
            operations=self._counted(),
            kernels=frozenset(str(getattr(func, "overloadpacket", func)) for func in self.operations.seen.values()),
            torch_functions=functions,
            own_functions=frozenset(self._own),
            yielding=frozenset(self._yielding(result)),
            altered=self._altered,
            unseen=frozenset(self.unseen | set(self._foreign_operators())),
            taken_out=self._is_full and not self._program.support and self._is_most_taken_out(result),
        )

    def _counted(self) -> int:
        """What grows with every round of a loop."""
        own = self.own_lines
        if self._is_full:
            return self.operations.count + self._support_calls + (own.lines if own else 0)
        return self.functions.count + (own.support_calls if own else 0)

    def _foreign_operators(self) -> Iterator[str]:
        for func in (*self.functions.seen, *self.operations.seen.values()):
            if is_foreign(func):
                yield f"the operator {func}"

    def _is_most_taken_out(self, result: object) -> bool:
        """As many bytes as the result has, nearly: more than tables of angles, where there are many heads."""
        taken_out = self.functions.taken_out if isinstance(self.functions, Functions) else 0
        taken_out += self.operations.taken_out
        return 2 * taken_out > sum(tensor.nbytes for tensor in tensors_in(result)) > 0

    def _yielding(self, result: object) -> Iterator[str]:
        """Whoever gave the values of the result, in any shape and order: the part itself, or what it consists of."""
        wanted = [*map(Values, tensors_in(result))]
        for name, returned in self._returned.items():
            given = (Values(tensor) for each in returned for tensor in tensors_in(each))
            if any(one.are_those_of(other) for one in given for other in wanted):
                yield name


@contextmanager
def traced(program: Program, tracing: Tracing) -> Iterator[Watch | LineResults]:
    """Watch what is called inside the block."""
    if tracing.detail is Detail.LINES:
        with LineResults(program) as results:
            yield results
        return
    watch = Watch(program, tracing)
    is_full, is_light = tracing.detail is Detail.FULL, tracing.detail is Detail.LIGHT
    with (
        _for_all_threads(watch),
        watch.functions if is_full or (is_light and not program.noticed) or tracing.alters_taken_out else nullcontext(),
        watch.operations if is_full or tracing.alters_taken_out else nullcontext(),
        _lines(watch, watch.own_lines) if watch.own_lines and (is_full or tracing.counts_calls) else nullcontext(),
        _profiling(watch) if is_full or tracing.altered else nullcontext(),
    ):
        yield watch


@contextmanager
def _for_all_threads(watch: Watch) -> Iterator[None]:
    watching.append(watch)
    try:
        yield
    finally:
        watching.remove(watch)


@contextmanager
def _lines(watch: Watch, own: OwnLines) -> Iterator[None]:
    with own.counting():
        yield
    if own.was_replaced:
        watch.unseen.add(UNTOLD)


@contextmanager
def _profiling(watch: Watch) -> Iterator[None]:
    """Dear where much Python runs: einx writes its functions anew for each shape."""
    previous: Callable[..., Any] | None = sys.getprofile()
    sys.setprofile(watch.profile)
    try:
        yield
    finally:
        if sys.getprofile() != watch.profile:
            watch.unseen.add(BLINDED)
        sys.setprofile(previous)


def _holds_tensor(held: object) -> bool:
    """A tensor, or several as functions take them that work on many at once."""
    if isinstance(held, list | tuple):
        return any(isinstance(item, Tensor) for item in held[:1])
    return isinstance(held, Tensor)
