"""Excerpts of students' code that nobody can be recognised in. Knows no database.

Whoever wrote the code may have known that it would be shown, so nothing in it is trusted: comments, strings and long
numbers go, and of the names only those stay that everybody uses (Python's, the libraries', the exercise's own, single
letters). Any other becomes `name1`, `name2`, and so on. What is no sequence of Python's tokens is not shown at all.
"""

import builtins
import keyword
import tokenize
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Final

from grader.hunt.tokens import NoPython, tokens_of

CONTEXT: Final = 2  # lines before and after the one that is meant
SOURCE_MAX: Final = 20_000  # characters: many times what a solution has
COLUMNS_MAX: Final = 110
INDENT_MAX: Final = 24
DIGITS_MAX: Final = 4  # significant ones; a longer number may be somebody's
STRING: Final = '"…"'
# What PyTorch and its users call things.
_USUAL: Final = """
    F Linear Module Parameter T Tensor abs allclose arange attention attn batch bmm bool cat chunk clone concat
    contiguous cos cpu cuda d_head d_in d_k d_model d_out d_v data detach device dim dropout dtype einops einsum
    einx embed_dim exp expand flatten float float32 float64 forward full functional gather half head head_dim
    heads inf init is_causal item keepdim key keys long mT mask masked_fill masked_fill_ math matmul max mean
    min mm mul nn normal np num_heads numpy ones ones_like out outer output outputs pairwise permute positions
    pow probs queries query random rearrange reciprocal register_buffer repeat repeat_interleave requires_grad
    reshape rotate rsqrt scale score scores self seq seq_len sequence shape sin size softmax split sqrt squeeze
    stack std sum super swapaxes tensor theta to tokens torch transpose tril triu type unbind unflatten
    unsqueeze value values var view weight weights where zeros zeros_like
"""
ALWAYS: Final = frozenset(_USUAL.split()) | frozenset(dir(builtins)) | frozenset((*keyword.kwlist, *keyword.softkwlist))
# Python 3.12 reads f-strings piece by piece.
_OPENING: Final = {getattr(tokenize, name, None) for name in ("FSTRING_START", "TSTRING_START")} - {None}
_CLOSING: Final = {getattr(tokenize, name, None) for name in ("FSTRING_END", "TSTRING_END")} - {None}
_LAYOUT: Final = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Excerpt:
    """Some lines of somebody's code; `marked` is the place of the line that is meant, from 0."""

    lines: tuple[str, ...]
    marked: int

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def names_in(sources: Iterable[str]) -> frozenset[str]:
    """Returns the names that an author's sources use: they may stay in an excerpt."""
    return frozenset(token.string for source in sources for token in tokens_of(source) if token.type == tokenize.NAME)


def excerpt_of(source: str, line: int, known: Set[str]) -> Excerpt | None:
    """Returns the lines around this one without anything that could tell whose they are; None where nothing is left of
    it, or where the source cannot be read that far.
    """
    first, last = max(1, line - CONTEXT), line + CONTEXT
    rows: dict[int, _Row] = {}
    try:
        for token in _shown(source, last):
            if token.start[0] >= first:
                rows.setdefault(token.start[0], _Row(token.start[1])).tokens.append(token)
    except NoPython:
        return None
    if line not in rows:
        return None
    renamed = _Names(known)
    left = min(row.column for row in rows.values())
    numbers = sorted(rows)
    return Excerpt(tuple(rows[number].written(left, renamed) for number in numbers), numbers.index(line))


def _shown(source: str, last: int) -> Iterator[tokenize.TokenInfo]:
    """The tokens of the lines up to this one but for comments, each string as one token without what it says. Raises
    NoPython.
    """
    if len(source) > SOURCE_MAX:
        raise NoPython(f"{len(source)} characters")
    depth = 0
    for token in tokens_of(source):
        if token.start[0] > last:
            return
        is_opening, is_closing = token.type in _OPENING, token.type in _CLOSING
        is_string = token.type == tokenize.STRING or (is_opening and not depth)
        depth += is_opening - is_closing
        if is_string:
            yield token._replace(type=tokenize.STRING, string=STRING)
        elif not depth and not is_closing and token.type not in _LAYOUT:
            yield token


@dataclass
class _Names:
    """Other names for those that are not known, the same for the same one."""

    known: Set[str]
    given: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        if name in ALWAYS or name in self.known or (len(name) == 1 and name.isascii()):
            return name
        return self.given.setdefault(name, f"name{len(self.given) + 1}")


@dataclass
class _Row:
    """The tokens of a line that begins at this column."""

    column: int
    tokens: list[tokenize.TokenInfo] = field(default_factory=list)

    def written(self, left: int, names: _Names) -> str:
        text, end = " " * min(self.column - left, INDENT_MAX), self.column
        for token in self.tokens:
            text += " " * (token.start[1] > end) + _written(token, names)
            end = token.end[1] if token.end[0] == token.start[0] else token.start[1]
        return text if len(text) <= COLUMNS_MAX else f"{text[:COLUMNS_MAX]} …"


def _written(token: tokenize.TokenInfo, names: _Names) -> str:
    if token.type == tokenize.NAME:
        return names.of(token.string)
    if token.type == tokenize.NUMBER:
        digits = "".join(char for char in token.string if char.isdigit()).strip("0")
        return token.string if len(token.string) <= 2 * DIGITS_MAX and len(digits) <= DIGITS_MAX else "0"
    return token.string
