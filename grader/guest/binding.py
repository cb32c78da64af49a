"""Calls a student's function with the contract's arguments: a renamed parameter is no mistake. Holds nothing secret."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from inspect import Parameter, signature
from types import CodeType, FunctionType
from typing import Any

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
        parameters = _parameters(function)
    except (TypeError, ValueError):
        return function(*arguments.values())
    kinds = {parameter.name: parameter.kind for parameter in parameters}
    takes_any_name = Parameter.VAR_KEYWORD in kinds.values()
    slots = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
    room = len(arguments) if Parameter.VAR_POSITIONAL in kinds.values() else len(slots)
    named = {name for name in arguments if kinds.get(name) in _NAMED or (takes_any_name and name not in kinds)}
    renamed = [
        place
        for place, name in enumerate(arguments, start=1)
        if name not in named or _is_other(slots[place - 1 : place], arguments)
    ]
    first_named = max(_by_position.get(), *renamed, 0)
    given: list[Any] = []
    by_name = {}
    for place, (name, value) in enumerate(arguments.items()):
        is_free = name in named and (place >= first_named or len(given) >= room)
        if is_free or kinds.get(name) is Parameter.KEYWORD_ONLY:
            by_name[name] = value
        else:
            given.append(value)
    return function(*given, **by_name)


def _is_other(slot: Sequence[Parameter], arguments: Mapping[str, Any]) -> bool:
    """Whether the parameter in an argument's place, if there is one, must be given and is no argument's by name."""
    return any(parameter.default is Parameter.empty and parameter.name not in arguments for parameter in slot)


def _parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Of a plain function they follow from its code, which the judge meets a thousand times in a diagnosis; and so do
    those of a harness's, whose first argument is the module.
    """
    if isinstance(function, FunctionType) and not function.__dict__:
        return _parameters_of(function.__code__, len(function.__defaults__ or ()))
    if type(function) is partial and len(function.args) == 1 and not function.keywords:
        first, *rest = _parameters(function.func) or (None,)
        if first is not None and first.kind in _POSITIONAL:
            return tuple(rest)
    return tuple(signature(function).parameters.values())


@lru_cache(maxsize=64)
def _parameters_of(code: CodeType, defaults: int) -> tuple[Parameter, ...]:
    """Kinds and names, and which have a default; its value the function itself holds."""
    return tuple(signature(FunctionType(code, {}, argdefs=(None,) * defaults)).parameters.values())
