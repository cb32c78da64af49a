"""A call that gives values as the reference gets it: every floating tensor in double precision."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from grader.guest.execution import Call
from grader.guest.moves import Move
from grader.guest.values import Data, frozen, mapped, tensors_within


def with_values_in_float64(call: Call) -> Call:
    """Returns the call with every floating tensor in float64, wherever in its arguments it is, or in those of its
    moves.
    """
    return replace(
        call,
        arguments={name: doubled(frozen(value)) for name, value in call.arguments.items()},
        moves=tuple(map(_doubled_move, call.moves)),
    )


def floating_dtypes(call: Call) -> frozenset[torch.dtype]:
    """The dtypes of the floating tensors that the call is given, wherever they are."""
    tensors = (tensor for value in _given(call) for tensor in tensors_within(value))
    return frozenset(tensor.dtype for tensor in tensors if tensor.is_floating_point())


def _given(call: Call) -> Iterator[Data]:
    yield from map(frozen, call.arguments.values())
    for move in call.moves:
        yield move.target
        yield from move.positional
        yield from move.named.values()


def _doubled_move(move: Move) -> Move:
    return replace(
        move,
        target=doubled(move.target),
        positional=tuple(map(doubled, move.positional)),
        named={name: doubled(value) for name, value in move.named.items()},
    )


def doubled(value: Data) -> Data:
    """The same with every floating tensor in float64."""
    return mapped(value, _double)


def _double(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor
