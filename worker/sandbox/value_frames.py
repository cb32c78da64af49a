"""Calls that give values, and their outcomes, as frames: what they hold is a text beside tensors (`data_text`)."""

from collections.abc import Mapping
from typing import Any

import torch
from safetensors.torch import load
from torch import Tensor

from grader.guest.execution import Call, Gives, GradMode
from grader.guest.moves import Move, MoveKind
from grader.guest.values import MOST_TENSORS, Data, Entries, frozen
from worker.sandbox.data_text import MOST_BYTES, read, write
from worker.sandbox.fields import require
from worker.sandbox.tensor_body import pack, unpack

TEXT = "text"
ANY = ("an exception",)  # which one must be raised stays with the judge


def tensors_of(values: tuple[Data, ...]) -> dict[str, Tensor]:
    """Packs everything as tensors for one body. Raises ValueError where it is more than a reader takes."""
    text, tensors = write(values)
    return {TEXT: torch.frombuffer(bytearray(text), dtype=torch.uint8)} | {
        f"v.{index}": tensor for index, tensor in enumerate(tensors)
    }


def values_in(tensors: Mapping[str, Tensor], *, has_handles: bool = False) -> tuple[Data, ...]:
    """Reads the values that `tensors_of` packed. Raises MalformedFrameError."""
    text = tensors[TEXT]
    require(text.dtype is torch.uint8 and text.dim() == 1 and text.numel() <= MOST_BYTES, "values that are no text")
    numbered = {index: tensors[f"v.{index}"] for index in range(len(tensors) - 1)}
    return read(text.numpy().tobytes(), numbered, has_handles=has_handles)


def call_fields(call: Call) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Returns what the header of a call that gives values says besides the usual, and the tensors of its body."""
    arguments = tuple(frozen(value) for value in call.arguments.values())
    tensors = tensors_of((*arguments, *map(_as_data, call.moves)))
    fields = {
        "names": list(call.arguments),
        "moves": [[move.kind, move.name, move.is_seen, move.may_raise, move.requires_grad] for move in call.moves],
        "most_taken": call.most_taken,
        "random_seed": call.random_seed,
    }
    return fields, tensors


def _as_data(move: Move) -> Data:
    named = Entries(tuple(move.named.items()))
    return frozen((move.target, [*move.positional], named))


def call_of(fields: Mapping[str, Any], body: bytes) -> Call:
    """Reads what `call_fields` wrote. Trusts it: the judge wrote it."""
    values = values_in(load(body), has_handles=True)
    told, names = fields["values"], fields["values"]["names"]
    moves = zip(told["moves"], values[len(names) :], strict=True)
    return Call(
        id=fields["id"],
        function=fields["function"],
        arguments=dict(zip(names, values, strict=False)),  # data is a value of such a call as it is
        by_position=fields["by_position"],
        return_arguments=fields["return_arguments"],
        grad_mode=GradMode(fields["grad_mode"]),
        gives=Gives.VALUES,
        moves=tuple(_move(written, data) for written, data in moves),
        most_taken=told["most_taken"],
        random_seed=told["random_seed"],
    )


def _move(written: list[Any], data: Any) -> Move:
    kind, name, is_seen, may_raise, requires_grad = written
    target, positional, named = data.items
    return Move(
        MoveKind(kind),
        name,
        target,
        positional.items,
        {str(key): value for key, value in named.pairs},
        is_seen=is_seen,
        requires_grad=requires_grad,
        raises=ANY if may_raise else (),
    )


def pack_values(values: tuple[Data, ...]) -> tuple[int, bytes]:
    """Packs an outcome's values. Returns how many tensors go with them, and the body."""
    tensors = tensors_of(values)
    return len(tensors) - 1, pack(tensors)


def unpack_values(call: Call, count: object, body: bytes | bytearray | memoryview) -> tuple[Data, ...]:
    """Reads the outcome's values. Raises MalformedFrameError for more than the call can show."""
    require(type(count) is int and 0 <= count <= MOST_TENSORS, "the number of tensors")
    assert isinstance(count, int)
    values = values_in(unpack(body, frozenset({TEXT, *(f"v.{index}" for index in range(count))})))
    require(len(values) <= most_shown(call), "more values than were asked for")
    return values


def most_shown(call: Call) -> int:
    """Counts the values that a call shows which ends as it should."""
    if call.moves:
        return sum(move.is_seen for move in call.moves)
    return 1 + (len(call.arguments) if call.return_arguments else 0)
