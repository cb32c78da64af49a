"""What each operation of a call gave, told by a few sums; the line of the student's that asked for it, and the results
that it was made of.

The same values have the same sums wherever they come up, so what a mistake first gives can be found in other code that
makes it. Holds nothing secret; a hostile submission can forge it, and is pointed to a line of its own choice.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import chain, islice
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import arg_tree_leaves

from grader.guest.execution import Trace
from grader.guest.loading import Program

MOST_RESULTS = 600
MOST_NUMBERS = 100_000  # of one result
# Columns of a row: how many numbers (of truth values, minus that), their sum, that of their squares, and one that
# changes with their order; of whole numbers there are none. Then who asked for it, the innermost of the student's
# functions first: the file's place among the student's in order, the line, and the one that the function begins in.
# Last what it was made of: rows above, INPUT for a tensor that none of them gave, -1 where there is less.
COUNT, SUM, SQUARES, IN_ORDER = range(4)
FRAMES, OF_A_FRAME = 4, 3
SOURCES, INPUT = 4, -2
FIRST_FRAME, FIRST_SOURCE = 4, 4 + FRAMES * OF_A_FRAME
COLUMNS = FIRST_SOURCE + SOURCES
NOT_FINITE = {"nan": 1.7, "posinf": 3.1, "neginf": -2.3}  # a hidden score is a number like any other here
WITHOUT_NUMBERS = (0.0, 0.0, 0.0, 0.0)
DRAWN = ("aten.rand", "aten.uniform_", "aten.normal_", "aten.bernoulli")
_Part = tuple[int, ...]  # of a storage: where it begins, its sizes and its strides
_Place = tuple[int, _Part]
LATEST: _Part = ()
NOT_WRITTEN = ("aten.empty", "aten.new_empty")


class _Recorder:
    def __init__(self, program: Program) -> None:
        super().__init__()
        self._files = {path: place for place, path in enumerate(sorted(program.own))}
        self._rows: list[tuple[float, ...]] = []
        self._held: defaultdict[int, dict[_Part, int]] = defaultdict(dict)  # rows, by storage and part of it

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        kwargs = kwargs or {}
        given = [*filter(None, map(_place_of, arg_tree_leaves(*args, **kwargs)))]
        result = func(*args, **kwargs)
        if str(func).startswith(NOT_WRITTEN):
            return _without_old_values(result)
        asked = tuple(chain.from_iterable(islice(self._running(), FRAMES)))
        if asked and len(self._rows) < MOST_RESULTS and not str(func).startswith(DRAWN):
            told = (*_filled(asked, FRAMES * OF_A_FRAME), *_filled(self._sources(given), SOURCES))
            fresh = func._schema.is_mutable, {storage for storage, _ in given}
            for tensor in result if isinstance(result, tuple | list) else (result,):
                self._remember(tensor, *fresh)
                self._rows.append((*sums_of(tensor), *told))
        return result

    def _sources(self, given: Sequence[_Place]) -> list[int]:
        """The rows of what was given: of just that part of a storage, or else the latest of any part."""
        held = ((self._held.get(storage), part) for storage, part in given)
        return sorted({rows.get(part, rows[LATEST]) if rows else INPUT for rows, part in held}, reverse=True)

    def _remember(self, result: object, is_written: bool, given: Set[int]) -> None:
        """What is to be the next row."""
        place = _place_of(result)
        if place is not None:
            storage, part = place
            if is_written or storage not in given:
                self._held[storage] = {}
            self._held[storage][part] = self._held[storage][LATEST] = len(self._rows)

    def _running(self) -> Iterator[tuple[int, int, int]]:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code.co_filename in self._files:
                yield self._files[code.co_filename], frame.f_lineno, code.co_firstlineno
            frame = frame.f_back

    def kept(self, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Nobody judges them."""
        return outputs

    def trace(self, _result: object) -> Trace:
        """Once the watching is over."""
        return Trace(line_results=torch.tensor(self._rows, dtype=torch.float64).reshape(-1, COLUMNS))


class LineResults(_Recorder, TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch does not annotate it
    """As a mode of torch: see `modes.Operations` for why it does nothing itself."""


def _without_old_values(memory: Any) -> Any:
    """What memory held before, a result of the call before perhaps, is nobody's result on this line."""
    return memory.fill_(torch.nan) if memory.is_floating_point() else memory


def _filled(numbers: Sequence[int], length: int) -> tuple[int, ...]:
    return (*numbers[:length], *(-1,) * (length - len(numbers)))


def _place_of(value: object) -> _Place | None:
    """None for what is no tensor, or one that has no memory of its own, as inside vmap."""
    if not isinstance(value, Tensor):
        return None
    try:
        part = value.storage_offset(), *value.shape, *value.stride()
        return value.untyped_storage().data_ptr(), part
    except RuntimeError:
        return None


def sums_of(result: object) -> tuple[float, ...]:
    """The first columns of a row."""
    if not isinstance(result, Tensor) or result.numel() > MOST_NUMBERS:
        return WITHOUT_NUMBERS
    return _sums(result) if result.is_floating_point() or result.dtype is torch.bool else WITHOUT_NUMBERS


def _sums(tensor: Tensor) -> tuple[float, ...]:
    try:
        flat = tensor.detach().double().flatten().nan_to_num(**NOT_FINITE)
        in_order = flat @ torch.arange(len(flat), dtype=torch.float64).mul_(0.7).add_(0.3).cos_()
        count = float(-len(flat) if tensor.dtype is torch.bool else len(flat))
        return count, *torch.stack([flat.sum(), flat @ flat, in_order]).tolist()
    except RuntimeError:  # inside vmap a tensor has no numbers of its own
        return WITHOUT_NUMBERS
