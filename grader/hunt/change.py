"""How much of a program a change touches: logical lines; comments, docstrings and layout do not count."""

import tokenize
from collections.abc import Iterator
from typing import Final

from grader.hunt.tokens import tokens_of
from grader.line_diff import stretches

COLUMNS: Final = 120
CHANGE_MAX: Final = 10  # lines: `grader.proof.hunt` shows that mending takes fewer, and another solution more
FAR: Final = 10 * CHANGE_MAX
_LAYOUT: Final = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING})
_ENDS: Final = frozenset({tokenize.NEWLINE, tokenize.ENDMARKER})


def changed_lines(before: str, after: str) -> int:
    """Counts the logical lines that differ. Where the programs differ in length by far more, only by how much they do.

    A long line counts as the lines of 120 columns that it fills, so that nobody hides a program in one. Raises NoPython
    for what cannot be read.
    """
    old, new = list(_logical(before)), list(_logical(after))
    difference = abs(_weight(new) - _weight(old))
    if difference > FAR:
        return difference
    return sum(
        max(_weight(old[stretch.old]), _weight(new[stretch.new]))
        for stretch in stretches(old, new)
        if not stretch.is_equal
    )


def _logical(source: str) -> Iterator[str]:
    """Each logical line as its tokens, one blank between them, behind its depth."""
    tokens: list[str] = []
    is_text, depth, indent = True, 0, ""
    for token in tokens_of(source):
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
