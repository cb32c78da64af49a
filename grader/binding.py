"""Calls a student's function with the contract's arguments: a renamed parameter is no mistake. Holds nothing secret."""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any


def call_with(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """By the contract's names where the function knows them all, else by position, in the contract's order."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return function(*arguments.values())
    keywords = {p.name for p in parameters if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)}
    if set(arguments) <= keywords or any(p.kind is Parameter.VAR_KEYWORD for p in parameters):
        return function(**arguments)
    only = {p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY}
    by_position = [value for name, value in arguments.items() if name not in only]
    return function(*by_position, **{name: value for name, value in arguments.items() if name in only})
