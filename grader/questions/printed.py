"""What a program prints, compared as a person would: spaces, lines, quotes and the kind of bracket do not matter."""

import math
import re
from collections.abc import Sequence
from itertools import accumulate

Token = str | float

# Each repeat ends at a sign that it cannot hold itself, so that there is one way to read a text.
_KEYWORD = re.compile(r",\s*(?:dtype|grad_fn|requires_grad)\s*=[^,)\]]*")
_TOKEN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?(?![\w.])|\w+|[^\s\w,;'\"`]", re.IGNORECASE)
_WRAPPERS = {"size", "tensor"}
_BRACKETS = str.maketrans("[]{}", "()()")
_DEPTH: dict[Token, int] = {"(": 1, ")": -1}
ROUNDED = 2e-3  # a decimal may be typed with three digits


def same_output(given: str, printed: str) -> bool:
    """Whether a reader would take one for the other. The brackets around the whole may be left out."""
    one, other = _tokens(given), _tokens(printed)
    return _same(one, other) or _same(one, _unwrapped(other)) or _same(_unwrapped(one), other)


def _tokens(text: str) -> list[Token]:
    words = _TOKEN.findall(_KEYWORD.sub("", text))
    return [_token(word.translate(_BRACKETS)) for word in _without_wrappers(words)]


def _without_wrappers(words: Sequence[str]) -> list[str]:
    """`torch.Size([2, 3])` as `[2, 3]`, and `tensor(5)` as `5`, in one pass."""
    kept: list[str] = []
    opened: int | None = None  # where in `kept` the last bracket is, if none has been closed since
    for word in words:
        kept.append(word)
        if word == "(":
            opened = len(kept) - 1
        elif word == ")":
            if opened is not None and _is_wrapper(kept, opened):
                kept[_start_of_wrapper(kept, opened) :] = kept[opened + 1 : -1]
            opened = None
    return kept


def _is_wrapper(kept: Sequence[str], opened: int) -> bool:
    """Whether what was just closed is one list, or holds none, after a wrapper's name."""
    if opened == 0 or kept[opened - 1].lower() not in _WRAPPERS:
        return False
    inner = kept[opened + 1 : -1]
    is_one_list = inner[:1] == ["["] and inner[-1:] == ["]"]
    return is_one_list or not {"[", "]"} & set(inner)


def _start_of_wrapper(kept: Sequence[str], opened: int) -> int:
    has_module = [word.lower() for word in kept[max(0, opened - 3) : opened - 1]] == ["torch", "."]
    return opened - 3 if has_module else opened - 1


def _token(word: str) -> Token:
    try:
        return float(word)
    except ValueError:
        return word.lower()


def _unwrapped(tokens: list[Token]) -> list[Token]:
    """Without the brackets around several things."""
    inner = tokens[1:-1]
    depths = list(accumulate((_DEPTH.get(token, 0) for token in inner), initial=0))
    is_wrapped = tokens[:1] == ["("] and tokens[-1:] == [")"] and min(depths) == 0
    return inner if is_wrapped and depths[:-1].count(0) > 1 else tokens


def _same(one: Sequence[Token], other: Sequence[Token]) -> bool:
    return len(one) == len(other) and all(_alike(left, right) for left, right in zip(one, other, strict=True))


def _alike(given: Token, printed: Token) -> bool:
    if isinstance(given, str) or isinstance(printed, str):
        return given == printed
    return given == printed or (not printed.is_integer() and math.isclose(given, printed, rel_tol=ROUNDED))
