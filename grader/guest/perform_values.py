"""Performs calls that give values, and sequences of calls on objects that stay here: the same in the sandbox's child
and in the judge. Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch
from torch import Tensor

from grader.guest.binding import call_with, writing
from grader.guest.execution import UNTRACED, Call, CallStatus, Outcome, Problem
from grader.guest.line_results import LineResults
from grader.guest.loading import Program
from grader.guest.moves import Move, MoveKind
from grader.guest.raised import problem_from
from grader.guest.tracing import Watch, traced
from grader.guest.values import Data, NotDataError, Raised, frozen, thawed


def performed_values(call: Call, program: Program, mode: AbstractContextManager[object]) -> Outcome:
    """What was seen of the call, in order; where it raised, what was seen before."""
    watching: AbstractContextManager[Watch | LineResults | None] = (
        nullcontext() if call.tracing == UNTRACED else traced(program, call.tracing)
    )
    seen: list[Data] = []
    try:
        if call.random_seed is not None:
            _seed_generators(call.random_seed)
        with writing(call.by_position), mode, watching as watch:
            for value in _moves(call, program) if call.moves else _call(call, program):
                seen.append(value)
        trace = None if watch is None else watch.trace(())
    except NotDataError as error:
        wrong = Problem(type(error).__name__, f"returned {error}")
        return Outcome(call.id, CallStatus.MISTYPED, values=tuple(seen), problem=wrong)
    except BaseException as error:  # noqa: BLE001  the edge: whatever a submission raises is an outcome
        return Outcome(call.id, CallStatus.RAISED, values=tuple(seen), problem=_problem(error, program))
    return Outcome(call.id, CallStatus.RETURNED, values=tuple(seen), trace=trace)


def _seed_generators(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed % (1 << 32))
    torch.default_generator.manual_seed(seed)  # `torch.manual_seed` also keeps a stack trace for each kind of device


def _call(call: Call, program: Program) -> Iterator[Data]:
    """The result, then the arguments as they are after it."""
    arguments = {name: thawed(frozen(value), _no_object) for name, value in call.arguments.items()}
    yield frozen(call_with(program.function(call.function), arguments), call.most_taken)
    if call.return_arguments:
        yield from (frozen(value) for value in arguments.values())


def _no_object(number: int) -> object:
    raise ValueError(f"there is no object {number} outside a sequence of calls")


def _moves(call: Call, program: Program) -> Iterator[Data]:
    objects: list[Any] = []
    for move in call.moves:
        try:
            given = _made(move, program, objects)
            shown = frozen(given, call.most_taken) if move.is_seen else None
        except NotDataError:
            raise
        except Exception as error:
            if not move.may_raise:
                raise
            given, shown = None, Raised(_problem(error, program))
        objects.append(given)
        if move.is_seen:
            yield shown


def _made(move: Move, program: Program, objects: list[Any]) -> Any:
    """What the move gives, as it is in here."""
    target = thawed(move.target, objects.__getitem__)
    positional = [thawed(value, objects.__getitem__) for value in move.positional]
    named = {name: thawed(value, objects.__getitem__) for name, value in move.named.items()}
    match move.kind:
        case MoveKind.LET:
            return _requiring_grad(target) if move.requires_grad else target
        case MoveKind.CALL:
            return call_with(program.function(move.name), named)
        case MoveKind.METHOD:
            return getattr(target, move.name)(*positional, **named)
        case MoveKind.READ:
            return getattr(target, move.name) if move.name else target
        case MoveKind.SET:
            setattr(target, move.name, positional[0])
            return None
        case MoveKind.ITEM:
            return target[positional[0]]


def _problem(error: BaseException, program: Program) -> Problem:
    return problem_from(error, program.module.__file__, program.own)


def _requiring_grad(value: Any) -> Any:
    for tensor in value if isinstance(value, list | tuple) else [value]:
        if isinstance(tensor, Tensor):
            tensor.requires_grad_()
    return value
