"""Python's syntax in colour, line by line: what a line costs is bounded by its length, whatever stands around it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType, is_token_subtype

COLOURED_MAX: Final = 1 << 16  # characters of a file; what comes after is shown plain
_LEXER: Final = PythonLexer(ensurenl=False, stripnl=False)
_STYLES: Final = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Operator.Word, "keyword"),
    (Keyword, "keyword"),
    (Name.Function, "defined"),
    (Name.Class, "defined"),
    (Name.Decorator, "defined"),
)
_OPENED: Final = {'"""': "tdqs", "'''": "tsqs"}  # the lexer's states for what may go on in the next line
_WORD: Final = re.compile(r"\w+|\s+|.")


@dataclass(frozen=True)
class Span:
    """A piece of a line. `style` is a class of the style sheet's, or empty."""

    text: str
    style: str = ""
    is_changed: bool = False


def coloured(lines: Iterable[str]) -> Iterator[tuple[Span, ...]]:
    """The spans of each line, from the first line of a file on."""
    left, state = COLOURED_MAX, ""
    for line in lines:
        left -= len(line)
        if left < 0:
            yield (Span(line),)
            continue
        tokens = list(_LEXER.get_tokens_unprocessed(line, ("root", state) if state else ("root",)))
        for _, kind, text in tokens:
            if is_token_subtype(kind, String) and text.lstrip() in _OPENED:
                state = "" if state else _OPENED[text.lstrip()]
        yield tuple(_joined(tokens))


def _joined(tokens: Iterable[tuple[int, _TokenType, str]]) -> Iterator[Span]:
    for style, piece in groupby(tokens, key=lambda token: _style(token[1])):
        yield Span("".join(text for _, _, text in piece), style)


def _style(kind: _TokenType) -> str:
    return next((style for parent, style in _STYLES if is_token_subtype(kind, parent)), "")


def with_changes(old: tuple[Span, ...], new: tuple[Span, ...]) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """A line and what became of it, with what is between their common beginning and end marked; two lines that have
    less than half of the shorter one in common are left as they are.
    """
    before, after = (_WORD.findall("".join(span.text for span in line)) for line in (old, new))
    shorter = min(len(before), len(after))
    head = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    tail = next((at for at in range(shorter - head) if before[-1 - at] != after[-1 - at]), shorter - head)
    alike = len("".join(before[:head]).strip()) + len("".join(before[len(before) - tail :]).strip())
    if 2 * alike < min(len("".join(words).strip()) for words in (before, after)):
        return old, new
    start, end = len("".join(before[:head])), len("".join(before[len(before) - tail :]))
    return _marked(old, start, end), _marked(new, start, end)


def _marked(line: tuple[Span, ...], start: int, end: int) -> tuple[Span, ...]:
    """The line, changed from `start` on but for its last `end` characters."""
    stop = sum(len(span.text) for span in line) - end
    pieces, at = [], 0
    for span in line:
        cuts = [0, *(cut - at for cut in (start, stop) if 0 < cut - at < len(span.text)), len(span.text)]
        for left, right in pairwise(cuts):
            pieces.append(Span(span.text[left:right], span.style, start <= at + left < stop))
        at += len(span.text)
    return tuple(pieces)
