"""A call that gives values, or a sequence of calls, as Python that a student runs, with what is right beside it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from torch import Tensor

from grader.comparison.difference import Differ, told, written
from grader.diagnosis.literals import argument, literal
from grader.guest.execution import Call
from grader.guest.moves import Move, MoveKind
from grader.guest.values import Array, Collection, Data, Entries, Handle, Items, Thing, frozen

LONGEST = 200  # characters of a value that is right
LARGE = 1e4  # roundings: what four digits show

Name = Callable[[int], str]


def sequence_lines(call: Call, made: str, expected: Sequence[Data], found: Sequence[Data]) -> list[str]:
    """`made` is the line that makes a call which is no sequence, of variables named like its arguments."""
    if not call.moves:
        given = [f"{name} = {_value(frozen(value), str)}" for name, value in call.arguments.items()]
        return [*given, "", made, *_printed(expected[0], found)]
    names = [_name(move, number) for number, move in enumerate(call.moves)]
    right = iter(expected)
    return [*chain.from_iterable(_lines(move, names, number, right) for number, move in enumerate(call.moves))]


def _printed(right: Data, found: Sequence[Data]) -> list[str]:
    """The whole result, or of a long one the place where what was found differs."""
    if not found or len(written(right)) <= LONGEST:
        return ["print(output)", *_right(right)]
    one = Differ(growth=LARGE).first(right, found[0])
    return [f"print(output{one.path})", f"# Here: {one.message}."]


def _lines(move: Move, names: Sequence[str], number: int, right: Iterator[Data]) -> Iterator[str]:
    made, name = _made(move, names.__getitem__), names[number]
    if move.kind is MoveKind.SET:
        yield made
        return
    shown = next(right) if move.is_seen else None
    if move.kind is MoveKind.READ:
        yield f"print({made})"
    elif move.is_seen and shown is None:
        yield made  # whose result is None
        return
    else:
        yield f"{name} = {made}"
    if move.requires_grad:
        yield f"{name}.requires_grad_()"
    if move.raises:
        yield f"# Expected: {' or '.join(move.raises)} is raised."
    elif move.is_seen and not isinstance(shown, Thing):
        yield from () if move.kind is MoveKind.READ else (f"print({name})",)
        yield from _right(shown)


def _name(move: Move, number: int) -> str:
    return f"given_{number}" if move.kind is MoveKind.LET else f"result_{number}"


def _made(move: Move, name: Name) -> str:
    target = _value(move.target, name)
    given = [_value(value, name) for value in move.positional]
    named = [f"{key}={_value(value, name)}" for key, value in move.named.items()]
    match move.kind:
        case MoveKind.LET:
            return target
        case MoveKind.CALL:
            return f"{move.name}({', '.join(named)})"
        case MoveKind.METHOD:
            return f"{target}.{move.name}({', '.join([*given, *named])})"
        case MoveKind.READ:
            return f"{target}.{move.name}" if move.name else target
        case MoveKind.SET:
            return f"{target}.{move.name} = {given[0]}"
        case MoveKind.ITEM:
            return f"{target}[{given[0]}]"


def _value(value: Data, name: Name) -> str:
    match value:
        case Handle(number):
            return name(number)
        case Array(tensor):
            return f"{argument(tensor)}.numpy()"
        case Items(kind, items):
            inner = ", ".join(_value(item, name) for item in items)
            return {
                Collection.LIST: f"[{inner}]",
                Collection.TUPLE: f"({inner},)" if len(items) == 1 else f"({inner})",
                Collection.ITERATOR: f"iter([{inner}])",
            }[kind]
        case Entries(pairs):
            return f"{{{', '.join(f'{_value(key, name)}: {_value(item, name)}' for key, item in pairs)}}}"
        case _:
            return argument(value)


def _right(value: Data) -> Iterator[str]:
    if isinstance(value, Tensor):
        yield f"# Expected, with shape {tuple(value.shape)}:"
        yield from (f"# {line}" for line in literal(value, digits=4).splitlines())
    elif isinstance(value, Items) and all(isinstance(item, Tensor) for item in value.items):
        yield f"# Expected, a {value.kind} of {len(value.items)}:"
        for item in value.items:
            assert isinstance(item, Tensor)
            yield from (f"# {line}" for line in literal(item, digits=4).splitlines())
    else:
        text = written(value) if isinstance(value, Items | Entries) else told(value)
        yield f"# Expected: {text[:LONGEST]}"
