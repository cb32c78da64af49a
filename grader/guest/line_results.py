"""What each operation of a call gave, told by a few sums, and the line of the student's that asked for it.

The same values have the same sums wherever they come up, so what a mistake first gives can be found in other code that
makes it. Holds nothing secret; a hostile submission can forge it, and is pointed to a line of its own choice.
"""

import sys
from collections.abc import Iterator
from itertools import chain, islice
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from grader.guest.execution import Trace
from grader.guest.loading import Program

MOST_RESULTS = 600
MOST_NUMBERS = 100_000  # of one result
# Columns of a row: how many numbers (of truth values, minus that), their sum, that of their squares, and one that
# changes with their order; of whole numbers there are none. Then who asked for it, the innermost of the student's
# functions first: the file's place among the student's in order, the line, and the one that the function begins in.
COUNT, SUM, SQUARES, IN_ORDER = range(4)
FRAMES, OF_A_FRAME = 4, 3
COLUMNS = 4 + FRAMES * OF_A_FRAME
NOT_FINITE = {"nan": 1.7, "posinf": 3.1, "neginf": -2.3}  # a hidden score is a number like any other here
WITHOUT_NUMBERS = (0.0, 0.0, 0.0, 0.0)
DRAWN = ("aten.rand", "aten.uniform_", "aten.normal_", "aten.bernoulli")
NOT_WRITTEN = ("aten.empty", "aten.new_empty")


class _Recorder:
    def __init__(self, program: Program) -> None:
        super().__init__()
        self._files = {path: place for place, path in enumerate(sorted(program.own))}
        self._rows: list[tuple[float, ...]] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        result = func(*args, **(kwargs or {}))
        if str(func).startswith(NOT_WRITTEN):
            return _without_old_values(result)
        if len(self._rows) < MOST_RESULTS and not str(func).startswith(DRAWN):
            asked = tuple(chain.from_iterable(islice(self._running(), FRAMES)))
            missing = (-1,) * (FRAMES * OF_A_FRAME - len(asked))
            self._rows.extend((*sums, *asked, *missing) for sums in _sums_of(result) if asked)
        return result

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


def _sums_of(result: Any) -> Iterator[tuple[float, ...]]:
    for tensor in result if isinstance(result, tuple | list) else (result,):
        is_known = isinstance(tensor, Tensor) and (tensor.is_floating_point() or tensor.dtype is torch.bool)
        yield _sums(tensor) if is_known and tensor.numel() <= MOST_NUMBERS else WITHOUT_NUMBERS


def _sums(tensor: Tensor) -> tuple[float, ...]:
    try:
        flat = tensor.detach().double().flatten().nan_to_num(**NOT_FINITE)
        in_order = flat @ torch.arange(len(flat), dtype=torch.float64).mul_(0.7).add_(0.3).cos_()
        count = float(-len(flat) if tensor.dtype is torch.bool else len(flat))
        return count, *torch.stack([flat.sum(), flat @ flat, in_order]).tolist()
    except RuntimeError:  # inside vmap a tensor has no numbers of its own
        return WITHOUT_NUMBERS
