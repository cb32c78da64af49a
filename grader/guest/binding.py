"""Calls a student's function with the contract's arguments: a renamed parameter is no mistake. Holds nothing secret."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import Parameter, signature
from types import CodeType, FunctionType
from typing import Any, TypeGuard

_POSITIONAL = {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
_NAMED = {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}
_by_position: ContextVar[int] = ContextVar("by_position", default=0)


@contextmanager
def writing(by_position: int) -> Iterator[None]:
    """Calls inside, an exercise's harness's too, give so many of their arguments by position."""
    token = _by_position.set(by_position)
    try:
        yield
    finally:
        _by_position.reset(token)


def call_with(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """In the contract's order: those that the call gives by position, and what stands before a parameter that has
    another name than the contract's; the rest by name. Of what can be called in one way only, that is the way.
    """
    try:
        way = _way(function, tuple(arguments), _by_position.get())
    except (TypeError, ValueError):
        return function(*arguments.values())
    return function(*[arguments[name] for name in way.positional], **{name: arguments[name] for name in way.named})


@dataclass(frozen=True)
class _Way:
    """Which arguments are given by position and which by name, in order."""

    positional: tuple[str, ...]
    named: tuple[str, ...]


def _way(function: Callable[..., Any], names: tuple[str, ...], by_position: int) -> _Way:
    """Of a plain function it follows from its code, which the judge meets a thousand times in a diagnosis; and so does
    that of a harness's, whose first argument is the module.
    """
    if _is_plain(function):
        return _way_of(function.__code__, len(function.__defaults__ or ()), 0, names, by_position)
    if type(function) is partial and len(function.args) == 1 and not function.keywords and _is_plain(function.func):
        inner = function.func
        return _way_of(inner.__code__, len(inner.__defaults__ or ()), 1, names, by_position)
    return _sorted_out(tuple(signature(function).parameters.values()), names, by_position)


def _is_plain(function: Callable[..., Any]) -> TypeGuard[FunctionType]:
    return isinstance(function, FunctionType) and not function.__dict__


@lru_cache(maxsize=512)
def _way_of(code: CodeType, defaults: int, bound: int, names: tuple[str, ...], by_position: int) -> _Way:
    """Of a function with this code, so many defaults, and so many of its first parameters taken already."""
    like_it = partial(FunctionType(code, {}, argdefs=(None,) * defaults), *[None] * bound)
    return _sorted_out(tuple(signature(like_it).parameters.values()), names, by_position)


def _sorted_out(parameters: Sequence[Parameter], names: tuple[str, ...], by_position: int) -> _Way:
    kinds = {parameter.name: parameter.kind for parameter in parameters}
    takes_any_name = Parameter.VAR_KEYWORD in kinds.values()
    slots = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
    room = len(names) if Parameter.VAR_POSITIONAL in kinds.values() else len(slots)
    named = {name for name in names if kinds.get(name) in _NAMED or (takes_any_name and name not in kinds)}
    renamed = [
        place
        for place, name in enumerate(names, start=1)
        if name not in named or _is_other(slots[place - 1 : place], names)
    ]
    first_named = max(by_position, *renamed, 0)
    given: list[str] = []
    by_name: list[str] = []
    for place, name in enumerate(names):
        is_free = name in named and (place >= first_named or len(given) >= room)
        (by_name if is_free or kinds.get(name) is Parameter.KEYWORD_ONLY else given).append(name)
    return _Way(tuple(given), tuple(by_name))


def _is_other(slot: Sequence[Parameter], names: Sequence[str]) -> bool:
    """Whether the parameter in an argument's place, if there is one, must be given and is no argument's by name."""
    return any(parameter.default is Parameter.empty and parameter.name not in names for parameter in slot)
