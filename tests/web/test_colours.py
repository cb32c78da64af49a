"""Source in colour, line by line, and what changed within a line."""

import time

import pytest

from app.web.colours import COLOURED_MAX, Span, coloured, with_changes
from app.web.source import lines_of

SOURCE = '''def f(x):  # why
    """Says
    def nothing.
    """
    return x * 2 if x else "no"
'''


def styles(source: str) -> list[list[tuple[str, str]]]:
    return [[(span.text, span.style) for span in line if span.style] for line in coloured(source.split("\n"))]


def test_python_is_coloured_and_a_string_goes_on_over_its_lines() -> None:
    assert styles(SOURCE)[:-1] == [
        [("def", "keyword"), ("f", "defined"), ("# why", "comment")],
        [('"""Says', "string")],
        [("    def nothing.", "string")],
        [('    """', "string")],
        [("return", "keyword"), ("2", "number"), ("if", "keyword"), ("else", "keyword"), ('"no"', "string")],
    ]


ODD = ["x = '''\n\"\"\"\n'''\ny", '"""a""" + """\nb', "\tf'{x!r:\\", "\x0c\u2028 é"]


@pytest.mark.parametrize("source", [SOURCE, *ODD])
def test_nothing_of_a_line_is_lost(source: str) -> None:
    lines = source.split("\n")
    assert ["".join(span.text for span in line) for line in coloured(lines)] == lines


@pytest.mark.parametrize("line", ["a." * 200, "@" * 400, "{" * 400, '"%(' * 130, 'f"{' * 130, " " * 400, "\\" * 400])
def test_no_file_is_slow_to_colour(line: str) -> None:
    before = time.thread_time()
    lines = lines_of("\n".join([line] * 3000))
    assert time.thread_time() - before < 3  # a hundred times what a layers.py takes
    assert lines[-1].text == line
    assert all(len(line.spans) == 1 for line in lines[COLOURED_MAX // len(line) :])


def shown(line: tuple[Span, ...]) -> str:
    return "".join(f"[{span.text}]" if span.is_changed else span.text for span in line)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("y = q @ k.mT", "y = q @ k.T", ("y = q @ k.[mT]", "y = q @ k.[T]")),
        ("y = f(x)", "y = f(x, 2)", ("y = f(x)", "y = f(x[, 2])")),
        ("y = f(a, a)", "y = f(a)", ("y = f(a[, a])", "y = f(a)")),
        ("return x", "raise ValueError", ("return x", "raise ValueError")),
        ("", "x", ("", "[x]")),
    ],
)
def test_what_changed_within_a_line_is_marked(old: str, new: str, told: tuple[str, str]) -> None:
    before, after = with_changes(*coloured([old, new]))
    assert (shown(before).replace("][", ""), shown(after).replace("][", "")) == told
