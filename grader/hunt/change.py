"""How much of a program a change touches: logical lines; comments, docstrings and layout do not count."""

import io
import tokenize
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

COLUMNS: Final = 120
CHANGE_MAX: Final = 10  # lines: `grader.hunt.proof` shows that mending takes fewer, and another solution more
FAR: Final = 10 * CHANGE_MAX
LONGEST: Final = 1 << 16  # characters that are read: many times what a solution has
_LAYOUT: Final = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING})
_ENDS: Final = frozenset({tokenize.NEWLINE, tokenize.ENDMARKER})


class NoPython(ValueError):
    """What is no sequence of Python's tokens, or is too long to be read as one, has no logical lines."""


def changed_lines(before: str, after: str) -> int:
    """How many logical lines differ. Where the programs differ in length by far more, only by how much they do.

    A long line counts as the lines of 120 columns that it fills, so that nobody hides a program in one.
    Raises NoPython for what cannot be read.
    """
    old, new = _lines(before), _lines(after)
    difference = abs(_weight(new) - _weight(old))
    if difference > FAR:  # comparing long files line by line takes long
        return difference
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return sum(
        max(_weight(old[first:last]), _weight(new[start:end]))
        for tag, first, last, start, end in matcher.get_opcodes()
        if tag != "equal"
    )


def _lines(source: str) -> list[str]:
    """Each logical line as its tokens, one blank between them, behind its depth."""
    if len(source) > LONGEST:
        raise NoPython(f"{len(source)} characters")
    try:
        return list(_logical(source))
    except (tokenize.TokenError, SyntaxError) as error:
        raise NoPython(str(error)) from error


def _logical(source: str) -> Iterator[str]:
    tokens: list[str] = []
    is_text, depth, indent = True, 0, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type in _ENDS:
            if tokens and not is_text:
                yield indent + " ".join(tokens)
            tokens, is_text = [], True
        elif token.type not in _LAYOUT:
            indent = indent if tokens else " " * depth
            is_text = is_text and token.type == tokenize.STRING
            tokens.append(token.string)


def _weight(lines: list[str]) -> int:
    return sum(-(-len(line) // COLUMNS) for line in lines)
