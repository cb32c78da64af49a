"""What a misspelt name may have been meant to be. Python works that out too, but only when it prints a traceback."""

import builtins
import difflib
from collections.abc import Iterable
from functools import lru_cache
from types import ModuleType, TracebackType
from typing import Final

MOST_NAMES: Final = 3000  # to choose from: more than torch has
LONGEST: Final = 60  # characters of a name
ALIKE: Final = 0.8  # of 1: share of what two names have in common


def did_you_mean(error: BaseException) -> str:
    """`Did you mean: 'softmax'?`, or nothing. Only names are looked at."""
    name = error.name if type(error) in (NameError, AttributeError) else None  # type: ignore[attr-defined]
    if type(name) is not str or len(name) > LONGEST:
        return ""
    known = _names_in_sight(error.__traceback__) if type(error) is NameError else _attributes_of(error.obj)  # type: ignore[attr-defined]
    found = _closest(name, frozenset(known))
    return f"Did you mean: '{found}'?" if found else ""


def _names_in_sight(trace: TracebackType | None) -> list[str]:
    """Where the exception was raised."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return []
    frame = trace.tb_frame
    return _texts([*frame.f_locals, *frame.f_globals, *vars(builtins)])


def _attributes_of(thing: object) -> list[str]:
    """Of a module, or of an object and its classes; of a `torch.nn.Module` its parameters and parts too."""
    if type(thing) is ModuleType:
        return _texts(vars(thing))
    found = [name for kind in type.mro(type(thing)) for name in type.__dict__["__dict__"].__get__(kind)]
    try:
        own = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return _texts(found)
    kept = [own.get(name) for name in ("_parameters", "_modules", "_buffers")] if type(own) is dict else []
    return _texts([*found, *own, *(name for each in kept if type(each) is dict for name in each)])


def _texts(names: Iterable[object]) -> list[str]:
    texts = [name for name in names if type(name) is str and len(name) <= LONGEST]
    return texts if len(texts) <= MOST_NAMES else []


@lru_cache(maxsize=64)  # a paper calls the same line a hundred times
def _closest(name: str, known: frozenset[str]) -> str:
    near = sorted(other for other in known if abs(len(other) - len(name)) <= 2 and other != name)
    if not name.startswith("_"):
        near = [other for other in near if not other.startswith("_")]
    return next(iter(difflib.get_close_matches(name, near, n=1, cutoff=ALIKE)), "")
