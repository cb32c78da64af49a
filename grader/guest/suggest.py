"""What a name that is not there may have been meant to be: a misspelt one, one of `self` or of a module, one that is
not imported. Python works some of that out too, but only when it prints a traceback.
"""

import builtins
import difflib
import traceback
from collections.abc import Iterable, Sequence
from functools import lru_cache
from inspect import CO_OPTIMIZED
from types import FrameType, ModuleType
from typing import Final

MOST_NAMES: Final = 3000  # to choose from: more than torch has
LONGEST: Final = 60  # characters of a name
ALIKE: Final = 0.8  # of 1: share of what two names have in common
# What everybody calls them, besides the names of modules themselves.
IMPORTS: Final = {
    "F": "import torch.nn.functional as F",
    "np": "import numpy as np",
    "nn": "from torch import nn",
    "Tensor": "from torch import Tensor",
    "rearrange": "from einops import rearrange",
    "Optional": "from typing import Optional",
} | {name: f"import {name}" for name in ("torch", "numpy", "einops", "einx", "math", "copy", "functools", "itertools")}


def did_you_mean(error: BaseException) -> str:
    """`Did you mean: 'softmax'?`, or nothing. Only names are looked at."""
    if type(error) is not NameError and type(error) is not AttributeError:
        return ""
    name = error.name
    if type(name) is not str or len(name) > LONGEST:
        return ""
    if type(error) is AttributeError:
        found = _closest(name, frozenset(_attributes_of(error.obj)))
    else:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        if frames and name in IMPORTS:
            return f"Is `{IMPORTS[name]}` missing?"
        found = _in_sight(name, frames) if frames else ""
    return f"Did you mean: '{found}'?" if found else ""


def _in_sight(name: str, frames: Sequence[FrameType]) -> str:
    """The same name of `self`, else one that is like it, else the same name of a module that is imported. `frames`
    end where it was raised.
    """
    frame = frames[-1]
    own = _locals(frame)
    if "self" in own and name in _attributes_of(own["self"]):
        return f"self.{name}"
    outers = {id(outer.f_code): outer for outer in frames[:-1]}.values()  # each function once, however often it called
    around = [each for outer in outers if _is_written_in(frame, outer) for each in _locals(outer)]
    # The nearest first: what is like it in the same function is meant rather than a function of Python's.
    for names in ([*own, *around], [*dict.keys(frame.f_globals)], [*vars(builtins)]):
        if found := _closest(name, frozenset(_texts(names))):
            return found
    modules = (
        module
        for module, value in dict.items(frame.f_globals)
        if type(module) is str and type(value) is ModuleType and not module.startswith("_") and name in vars(value)
    )
    return next((f"{module}.{name}" for module in modules), "")


def _locals(frame: FrameType) -> dict[str, object]:
    # The names of a class's body may lie in a mapping of the student's own, which is not asked.
    return frame.f_locals if frame.f_code.co_flags & CO_OPTIMIZED else {}


def _is_written_in(inner: FrameType, outer: FrameType) -> bool:
    return any(constant is inner.f_code for constant in outer.f_code.co_consts)


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
    for other in known:
        if other.lower() == name.lower() and other != name:
            return other
    near = sorted(other for other in known if abs(len(other) - len(name)) <= 2 and other != name)
    if not name.startswith("_"):
        near = [other for other in near if not other.startswith("_")]
    return next(iter(difflib.get_close_matches(name, near, n=1, cutoff=ALIKE)), "")
