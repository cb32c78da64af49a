"""Is what somebody sends as their own build near to a hunt's file? Linear in what is sent, whatever that is.

Compared are runs of five tokens, over all files together. Names that a student gives, comments, texts, layout and
needless parentheses do not count, nor in which order or file functions stand, nor what is added between statements.
What runs code that stands in a text, or comes from elsewhere, could be anything: it counts as near to every file.
Over the exercises' corpora, what others wrote shares less than 0.7 of a hunt's runs; the file itself with a statement
added behind each line still has 0.77. Whoever writes every expression anew gets away.
"""

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from grader.hunt.change import CHANGE_MAX, changed_lines
from grader.hunt.tokens import NoPython

RUN: Final = 5  # tokens
NEAR: Final = 0.7  # of the runs of the hunt's file
# Each alternative takes what it has begun, also where a text is left open, so that no place is read twice.
_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:""")?'
    r"|'''(?:[^'\\]|\\.|'(?!''))*(?:''')?"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'(?:[^'\\\n]|\\.)*'?"
    r"|#[^\n]*"
    r"|(?P<word>\w+)"
    r"|(?P<sign>[^\s\w()\\;])",
    re.DOTALL,
)


RUNS_TEXT: Final = frozenset(
    ("exec", "eval", "compile", "__import__", "__builtins__", "builtins", "importlib", "marshal", "pickle", "runpy")
)  # as names of their own: `model.eval()` and `torch.compile` are no such thing

Shape = Counter[tuple[str, ...]]


def shape_of(files: Iterable[str]) -> Shape:
    """The runs of all files together, and how often each occurs."""
    return Counter(run for file in files for run in _runs(list(_tokens(file))))


def is_near(handed_out: str, main: str, shape: Shape) -> bool:
    """Whether `main` is a small change of the file, or all that is sent, of that shape, holds most of it."""
    return _is_small_change(handed_out, main) or _share(shape_of([handed_out]), shape) >= NEAR


def runs_text(files: Iterable[str]) -> bool:
    """Whether one of them can run code that cannot be read in it."""
    return any(word in RUNS_TEXT for file in files for word in _words(file))


def _words(source: str) -> Iterator[str]:
    before = ""
    for match in _TOKEN.finditer(source):
        if match["word"] and before != ".":
            yield unicodedata.normalize("NFKC", match["word"])
        before = match["sign"] or match["word"] or before


def _is_small_change(handed_out: str, main: str) -> bool:
    try:
        return changed_lines(handed_out, main) <= CHANGE_MAX
    except NoPython:
        return False


def _share(wanted: Shape, found: Shape) -> float:
    return sum(min(count, found[run]) for run, count in wanted.items()) / max(1, wanted.total())


def _runs(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[start : start + RUN]) for start in range(len(tokens) - RUN + 1))


def _tokens(source: str) -> Iterator[str]:
    """A name is one of Python's own words, what stands behind a dot, or any other, which are all the same."""
    before = ""
    for match in _TOKEN.finditer(source):
        token = match["sign"] or match["word"]
        if token is None:
            continue
        if match["word"] and not token[0].isdecimal() and not keyword.iskeyword(token):
            token = unicodedata.normalize("NFKC", token) if before == "." else "name"
        yield token
        before = token
