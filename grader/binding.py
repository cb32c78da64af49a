"""Calls a student's function with the contract's arguments: a renamed parameter is no mistake. Holds nothing secret."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from inspect import Parameter, signature
from types import CodeType, FunctionType
from typing import Any


def call_with(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """By the contract's names where the function knows them all, else by position, in the contract's order."""
    try:
        parameters = _parameters(function)
    except (TypeError, ValueError):
        return function(*arguments.values())
    keywords = {p.name for p in parameters if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)}
    if set(arguments) <= keywords or any(p.kind is Parameter.VAR_KEYWORD for p in parameters):
        return function(**arguments)
    only = {p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY}
    by_position = [value for name, value in arguments.items() if name not in only]
    return function(*by_position, **{name: value for name, value in arguments.items() if name in only})


def _parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Of a plain function they follow from its code, which the judge meets a thousand times in a diagnosis."""
    if isinstance(function, FunctionType) and not function.__dict__:
        return _parameters_of(function.__code__)
    return tuple(signature(function).parameters.values())


@lru_cache(maxsize=64)
def _parameters_of(code: CodeType) -> tuple[Parameter, ...]:
    """Kinds and names; without the defaults, which the function itself holds."""
    return tuple(signature(FunctionType(code, {})).parameters.values())
