"""What a program prints, compared as a person would: spaces, lines, quotes and the kind of bracket do not matter."""

import math
import re
from collections.abc import Sequence
from itertools import accumulate

Token = str | float

_WRAPPER = re.compile(r"(?:torch\.)?(?:size|tensor)\s*\(\s*(\[[^()]*\]|[^()\[\]]*)\s*\)", re.IGNORECASE)
_KEYWORD = re.compile(r",\s*(?:dtype|grad_fn|requires_grad)\s*=[^,)\]]*")
_TOKEN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?(?![\w.])|\w+|[^\s\w,;'\"`]", re.IGNORECASE)
_BRACKETS = str.maketrans("[]{}", "()()")
_DEPTH: dict[Token, int] = {"(": 1, ")": -1}
ROUNDED = 2e-3  # a decimal may be typed with three digits


def same_output(given: str, printed: str) -> bool:
    one, other = _tokens(given), _tokens(printed)
    # The brackets around the whole may be left out.
    return _same(one, other) or _same(one, _unwrapped(other)) or _same(_unwrapped(one), other)


def _tokens(text: str) -> list[Token]:
    plain = _WRAPPER.sub(r"\1", _KEYWORD.sub("", text)).translate(_BRACKETS)
    return [_token(word) for word in _TOKEN.findall(plain)]


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
