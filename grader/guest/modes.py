"""What torch itself tells of a call: its functions as they are called, and its operations as they are dispatched."""

import sys
from collections.abc import Iterator
from functools import lru_cache
from threading import get_ident
from typing import Any

import torch
from torch import Tensor
from torch._ops import HigherOrderOperator, OpOverload, OpOverloadPacket
from torch.nn import init
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from grader.guest.results import alter_bits

# One step of the student's, like `chunk`, of which torch makes a slice for each part.
SPLITTING = frozenset(
    getattr(owner, name) for owner in (torch, Tensor) for name in ("tensor_split", "hsplit", "vsplit", "dsplit")
)
# Torch's own; what an operator of the student's does inside, no mode sees.
NAMESPACES = frozenset({"aten", "prim", "prims", "profiler"})
OPERATORS = (OpOverload, OpOverloadPacket, HigherOrderOperator)
# By these a tensor's values leave torch, and what becomes of them is not seen. A GPU's torch may be too old for some.
WAYS_OUT = frozenset(
    getattr(Tensor, name)
    for name in (
        "numpy",
        "tolist",
        "data_ptr",
        "const_data_ptr",
        "apply_",
        "map_",
        "map2_",
        "storage",
        "untyped_storage",
        "__array__",
        "__dlpack__",
        "__reduce_ex__",
    )
    if hasattr(Tensor, name)
)
# What `trunc_normal_` repeats until nothing falls outside, oftener for a larger tensor: nothing that adds numbers up.
REDRAWING = frozenset(
    id(getattr(packet, overload))
    for packet in (
        *(torch.ops.aten.normal_, torch.ops.aten.uniform_, torch.ops.aten.empty_like, torch.ops.aten.copy_),
        *(torch.ops.aten.lt, torch.ops.aten.gt, torch.ops.aten.bitwise_or, torch.ops.aten.any, torch.ops.aten.where),
        *(torch.ops.aten.sub_, torch.ops.aten.div_, torch.ops.aten.pow_, torch.ops.aten.mul_, torch.ops.aten.log_),
        *(torch.ops.aten._local_scalar_dense, torch.ops.aten.is_nonzero),
    )
    for overload in packet.overloads()  # type: ignore[no-untyped-call]
)
INITIALISERS = init.__file__  # `trunc_normal_` draws again what fell outside, as often as chance wills
EINSUM = 12  # operations that torch.einsum takes for each of its arguments, at most


class _Counter:
    """Counts the operations that torch dispatches, and notes which they are."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.slices = 0  # of these
        self.redrawing = 0  # of these, as an initialiser repeats them
        self.entered = 0  # the student's functions
        self.seen: dict[int, Any] = {}  # by address: torch writes the hash of an operator in Python
        self.inside: set[int] = set()  # the threads that are inside one of them
        self.alters = False
        self.taken_out = 0  # bytes written where others may read them: in an array's memory, or a file's

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        self.count += 1
        self.slices += func is torch.ops.aten.slice.Tensor
        self.redrawing += id(func) in REDRAWING
        self.seen[id(func)] = func
        self.inside.add(get_ident())
        try:
            result = func(*args, **(kwargs or {}))
            for tensor in _written(func, args, kwargs or {}):
                self._note_written(tensor)
            return result
        finally:
            self.inside.discard(get_ident())

    def _note_written(self, tensor: Tensor) -> None:
        """Torch may not enlarge memory that somebody else holds, too."""
        if torch._C._has_storage(tensor) and not tensor.untyped_storage().resizable():
            self.taken_out += tensor.nbytes
            if self.alters:
                alter_bits(tensor)


def _written(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Tensor]:
    """The tensors that an operation writes into."""
    schema = getattr(func, "_schema", None)  # those of a higher order have none
    if schema is None or not schema.is_mutable:
        return
    given = dict(zip((argument.name for argument in schema.arguments), args, strict=False)) | kwargs
    for argument in schema.arguments:
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = given.get(argument.name)
            yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, Tensor))


class Operations(_Counter, TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch does not annotate it
    """As a mode of torch. Where a mode's class itself says what it does, torch imports its compiler when that is used
    first, to keep it away from there: a second, for what hardly a submission has use for.
    """

    supports_higher_order_operators = True  # flex attention is one; without this it raises when it is watched


class _Uncompiled(Operations):  # type: ignore[no-untyped-call]  # torch does not annotate it
    """The same, kept from torch's compiler."""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        return super().__torch_dispatch__(func, types, args, kwargs)


def operations() -> Operations:
    """The mode for one call."""
    return _Uncompiled() if "torch._dynamo" in sys.modules else Operations()


class Names(TorchFunctionMode):
    """Sees torch's functions however they are reached: by another name, from C, as an operator of `torch.ops`.

    Runs some twenty thousand times in a paper: every line of it is a millisecond.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[Any] = set()
        self.count = 0

    def __torch_function__(
        self, func: Any, _: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        self.seen.add(func)
        self.count += sys._getframe(1).f_code.co_filename != INITIALISERS
        return func(*args, **kwargs) if kwargs else func(*args)


class Functions(Names):
    """Sees them and what they are given: values that leave torch, and steps that are one to the student."""

    def __init__(self, operations: Operations, *, alters: bool) -> None:
        super().__init__()
        self._operations = operations
        self._alters = alters
        self._altered: list[Tensor] = []  # kept: somebody has the address of their memory
        self.taken_out = 0  # bytes

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        self.seen.add(func)
        if func in WAYS_OUT:
            self.taken_out += sum(value.nbytes for value in args if isinstance(value, Tensor))
            args = tuple(map(self._altered_copy, args)) if self._alters else args
        operations = self._operations
        count, slices, entered = operations.count, operations.slices, operations.entered
        result = func(*args, **kwargs) if kwargs else func(*args)
        if func in SPLITTING:
            operations.count -= max(0, operations.slices - slices - 1)
        elif func is torch.einsum and operations.entered == entered and operations.count - count <= EINSUM * len(args):
            operations.count = count + 1  # by which way several tensors are multiplied depends on their sizes
        return result

    def _altered_copy(self, value: Any) -> Any:
        if not isinstance(value, Tensor):
            return value
        self._altered.append(value.detach().clone())
        alter_bits(self._altered[-1])
        return self._altered[-1]


@lru_cache(maxsize=1024)
def name_of(func: Any) -> str:
    """The last part of a torch function's name; an operator's is followed by its overload's."""
    name = str(resolve_name(func) or getattr(func, "__name__", repr(func)))
    return name if name.startswith("aten.") else name.rpartition(".")[2]


def is_foreign(func: Any) -> bool:
    """Whether this is an operator that is not torch's own."""
    return isinstance(func, OPERATORS) and str(func).partition(".")[0] not in NAMESPACES
