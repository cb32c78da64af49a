"""Watches one call: at a glance, which torch functions were used; closely, also which operations were dispatched, and
which of the student's functions ran. It can disturb, too: a function whose altered result changes nothing was called
for show.

Holds nothing secret. A hostile submission can blind it; it then shows less than was done, and the source still
shows it.
"""

import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch._ops import HigherOrderOperator, OpOverload, OpOverloadPacket
from torch.nn import init
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from grader.execution import Call, Observation
from grader.loading import Program

INITIALISERS = init.__file__
# Relative: a helper may work in another dtype, or sum in another order, and still give the result.
SAME = 1e-4
COMPILES = "flex_attention"  # under a mode it compiles in every call, for a second; to see it once is enough
MOST_RETURNS = 64  # of one function, kept to be looked at
# One step of the student's, like `chunk`, of which torch makes a slice for each part.
SPLITTING = frozenset(
    getattr(owner, name) for owner in (torch, Tensor) for name in ("tensor_split", "hsplit", "vsplit", "dsplit")
)
LIBRARY = f"{Path(torch.__file__).parent}/"
# Torch's own; what an operator of the student's does inside, no mode sees.
NAMESPACES = frozenset({"aten", "prim", "prims", "profiler"})
OPERATORS = (OpOverload, OpOverloadPacket, HigherOrderOperator)
# By these a tensor's values leave torch, and what becomes of them is not seen.
WAYS_OUT = frozenset(
    getattr(Tensor, name)
    for name in (
        "numpy",
        "tolist",
        "data_ptr",
        "storage",
        "untyped_storage",
        "__array__",
        "__dlpack__",
        "__reduce_ex__",
    )
)
OUTSIDE = "values that leave torch"  # in a call's `disturb`: these are altered, and no function's result
INSIDE = "your code inside an operation of torch"
EINSUM = 12  # operations that torch.einsum takes for each of its arguments, at most
BLINDED = "a change of the interpreter's profile hook"


class _Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch does not annotate it
    supports_higher_order_operators = True  # flex attention is one; without this it raises when it is watched

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0
        self.slices = 0  # of these
        self.entered = 0  # the student's functions
        self.seen: set[Any] = set()
        self.is_inside = False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        self.count += 1
        self.slices += func is torch.ops.aten.slice.Tensor
        self.seen.add(func)
        self.is_inside = True
        try:
            return func(*args, **(kwargs or {}))
        finally:
            self.is_inside = False


class _Functions(TorchFunctionMode):
    """Sees torch's functions however they are reached: by another name, from C, as an operator of `torch.ops`."""

    def __init__(self, operations: _Operations, *, alters: bool) -> None:
        super().__init__()
        self._operations = operations
        self._alters = alters
        self._altered: list[Tensor] = []  # kept: somebody has the address of their memory
        self.seen: set[Any] = set()
        self.taken_out = 0  # numbers

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        self.seen.add(func)
        if func in WAYS_OUT and args and args[0].is_floating_point():
            self.taken_out += args[0].numel()
            args = (self._altered_copy(args[0]), *args[1:]) if self._alters else args
        operations = self._operations
        count, slices, entered = operations.count, operations.slices, operations.entered
        result = func(*args, **kwargs) if kwargs else func(*args)
        if func in SPLITTING:
            operations.count -= max(0, operations.slices - slices - 1)
        elif func is torch.einsum and operations.entered == entered and operations.count - count <= EINSUM * len(args):
            operations.count = count + 1  # by which way several tensors are multiplied depends on their sizes
        return result

    def _altered_copy(self, tensor: Tensor) -> Tensor:
        self._altered.append(tensor.detach().clone())
        _alter(self._altered[-1])
        return self._altered[-1]


class Watch:
    """What was seen so far. Calls into the exercise's own libraries count as operations, as those of torch do."""

    def __init__(self, program: Program, call: Call) -> None:
        self.operations = _Operations()
        self.functions = _Functions(self.operations, alters=OUTSIDE in call.disturb)
        self._own: set[str] = set()
        self._library: set[str] = set()  # torch's functions in Python, and C functions that another thread was sent for
        self._returned: dict[str, list[object]] = defaultdict(list)
        self._support_calls = 0
        self._disturbed = 0
        self._initialisers = 0  # entered and not left yet
        self._before = 0  # operations before the outermost of them
        self._program = program
        self._call = call
        self._thread = get_ident()
        self.unseen: set[str] = set()  # where work may have been done that nothing here shows

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        """For sys.setprofile: notes the student's functions as they are entered and as they return."""
        if event == "call":
            self._enter(frame)
        elif event == "return":
            self._leave(frame, argument)

    def profile_elsewhere(self, frame: FrameType, event: str, argument: object) -> None:
        """For the other threads: torch's modes hold for one thread only, so the names of C functions are noted here."""
        if event == "c_call":
            self._library.add(getattr(argument, "__name__", ""))
        else:
            self.profile(frame, event, argument)

    def line_elsewhere(self) -> None:
        """What another thread does counts by the lines that it runs: a loop in it needs no call."""
        self.operations.count += 1

    def _enter(self, frame: FrameType) -> None:
        code = frame.f_code
        if code.co_filename in self._program.own:
            self.operations.entered += 1
            self._own.add(code.co_qualname)
            # What another thread is sent for counts by its calls.
            self.operations.count += get_ident() != self._thread
            if self.operations.is_inside and get_ident() == self._thread:
                self.unseen.add(INSIDE)
        elif code.co_filename in self._program.support:
            self._support_calls += 1
        elif code.co_filename == INITIALISERS:
            # `trunc_normal_` draws again what fell outside, oftener for a larger tensor: that is no loop over heads.
            self._before = self._before if self._initialisers else self.operations.count
            self._initialisers += 1
        elif code.co_filename.startswith(LIBRARY) and any(isinstance(held, Tensor) for held in frame.f_locals.values()):
            self._library.add(code.co_qualname)  # nothing of what is merely imported, or made ready

    def _leave(self, frame: FrameType, result: object) -> None:
        code = frame.f_code
        if code.co_filename in self._program.own:
            if code.co_qualname in self._call.disturb:
                self._disturbed += _alter(result)
            if self._call.observe and len(self._returned[code.co_qualname]) < MOST_RETURNS:
                self._returned[code.co_qualname].append(result)
        elif code.co_filename == INITIALISERS:
            self._initialisers -= 1
            self.operations.count = self.operations.count if self._initialisers else self._before

    def observation(self, result: object) -> Observation:
        """Once the watching is over. `result` is what the call returned."""
        functions = frozenset(map(_name, self.functions.seen)) | self._library
        self._program.noticed.update(functions & {COMPILES})
        return Observation(
            operations=self.operations.count + self._support_calls,
            kernels=frozenset(str(getattr(func, "overloadpacket", func)) for func in self.operations.seen),
            torch_functions=functions,
            own_functions=frozenset(self._own),
            yielding=frozenset(self._yielding(result)),
            disturbed=self._disturbed,
            unseen=frozenset(self.unseen | set(self._foreign_operators())),
            taken_out=self._call.observe and not self._program.support and self._is_most_taken_out(result),
        )

    def _foreign_operators(self) -> Iterator[str]:
        for func in (*self.functions.seen, *self.operations.seen):
            if isinstance(func, OPERATORS) and str(func).partition(".")[0] not in NAMESPACES:
                yield f"the operator {func}"

    def _is_most_taken_out(self, result: object) -> bool:
        """As many numbers as the result has, nearly: more than tables of angles, where there are many heads."""
        return 2 * self.functions.taken_out > sum(tensor.numel() for tensor in _tensors_in(result)) > 0

    def _yielding(self, result: object) -> Iterator[str]:
        """Whoever gave the values of the result, in any shape and order: the part itself, or what it consists of."""
        wanted = _tensors_in(result)
        for name, returned in self._returned.items():
            if any(_is_same(one, other) for given in returned for one in _tensors_in(given) for other in wanted):
                yield name


@lru_cache(maxsize=1024)
def _name(func: Any) -> str:
    """The last part of a torch function's name; an operator's is followed by its overload's."""
    name = str(resolve_name(func) or getattr(func, "__name__", repr(func)))
    return name if name.startswith("aten.") else name.rpartition(".")[2]


def _tensors_in(result: object) -> list[Tensor]:
    """Tensors of an exercise's library hold an array in `data`."""
    parts = result if isinstance(result, tuple | list) else [result]
    held = [part if isinstance(part, Tensor) else _over_array(getattr(part, "data", None)) for part in parts]
    return [tensor for tensor in held if tensor is not None and (tensor.is_floating_point() or tensor.is_complex())]


def _is_same(first: Tensor, second: Tensor) -> bool:
    """The same values in any shape and order. Sorting the scores of a long sequence takes long: it comes last."""
    try:
        one, other = _values(first), _values(second)
        if one.shape != other.shape or not one.numel():
            return False
        largest = other.abs().amax().double()
        if (one.abs().amax().double() - largest).abs() > SAME * largest:
            return False
        found, wanted = one.double().sort().values, other.double().sort().values
        return torch.allclose(found, wanted, rtol=0.0, atol=SAME * largest.item())
    except RuntimeError:  # of a tensor that vmap made nothing is left once vmap is over
        return False


def _values(tensor: Tensor) -> Tensor:
    plain = tensor.detach().resolve_conj()
    return (torch.view_as_real(plain) if plain.is_complex() else plain).flatten()


def _alter(result: object) -> int:
    """Give other values to the tensors of a result, whoever holds them already; how many there were.

    No softmax, rotation or normalisation takes this back.
    """
    altered = 0
    for tensor in _tensors_in(result):
        with suppress(RuntimeError):  # several of its elements share one place in memory
            tensor.detach().mul_(-1.7).add_(0.3)
            altered += 1
    return altered


def _over_array(data: object) -> Tensor | None:
    """A torch tensor in the array's own memory."""
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fc":
        return None
    return torch.from_numpy(data) if data.flags.writeable and min(data.strides, default=0) >= 0 else None


_watching: list[Watch] = []


def _elsewhere(frame: FrameType, event: str, argument: object) -> None:
    """For threads, which keep the hook with which they were started: they may live through several calls."""
    if _watching:
        _watching[-1].profile_elsewhere(frame, event, argument)


def _elsewhere_by_line(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
    """The same, line by line, but not in libraries: those lie at absolute paths."""
    if frame.f_code.co_filename.startswith(("/", "<frozen")):
        return None
    if _watching and event == "line":
        _watching[-1].line_elsewhere()
    return _elsewhere_by_line


@contextmanager
def observing(program: Program, call: Call) -> Iterator[Watch]:
    """Watch what is called inside the block, as the call asks for it."""
    watch = Watch(program, call)
    threading.setprofile(_elsewhere)
    threading.settrace(_elsewhere_by_line)
    with (
        watch.functions
        if call.observe or (call.glance and not program.noticed) or OUTSIDE in call.disturb
        else nullcontext(),
        watch.operations if call.observe else nullcontext(),
        _profiling(watch) if call.observe or call.disturb else nullcontext(),
    ):
        yield watch


@contextmanager
def _profiling(watch: Watch) -> Iterator[None]:
    """Dear where much Python runs: einx writes its functions anew for each shape."""
    previous: Callable[..., Any] | None = sys.getprofile()
    _watching.append(watch)
    sys.setprofile(watch.profile)
    try:
        yield
    finally:
        if sys.getprofile() != watch.profile:
            watch.unseen.add(BLINDED)
        sys.setprofile(previous)
        _watching.remove(watch)
