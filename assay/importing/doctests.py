"""Tests that say what a line gives, as statements of Python with `assert`."""

import ast
from collections.abc import Iterator
from typing import Final

from assay.importing.syntax import parsed

PROMPT, GOES_ON = ">>>", "..."
ASSERTS_ITSELF: Final = (ast.Compare, ast.BoolOp)


class NotATestError(ValueError):
    """Why nothing can be made of it, in half a sentence."""


def from_session(text: str) -> str:
    """Turns what was typed into an interpreter, and what it answered, into statements. Raises NotATestError."""
    statements = [_statement(source, wanted) for source, wanted in _examples(text)]
    if not statements:
        raise NotATestError("it holds no line that begins with >>>")
    whole = "\n".join(statements)
    _parsed(whole)
    return whole


def from_cell(text: str, result: str | None) -> str:
    """Turns a cell, with what its last line gave, into statements. Raises NotATestError."""
    tree = _parsed(text)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or _is_assertion(last.value):
        return text
    before = "\n".join(text.split("\n")[: last.lineno - 1])
    expression = ast.unparse(last.value)
    if result is None:
        if not isinstance(last.value, ASSERTS_ITSELF):
            raise NotATestError("the notebook was saved without what its last line gives: run all cells and save it")
        return f"{before}\nassert {expression}".lstrip("\n")
    return f"{before}\n{_statement(expression, result)}".lstrip("\n")


def _is_assertion(node: ast.expr) -> bool:
    """A call such as `np.testing.assert_allclose(...)`, which gives nothing."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2].startswith("assert_")


def _examples(text: str) -> Iterator[tuple[str, str]]:
    """What was typed each time, and what was answered."""
    source: list[str] = []
    wanted: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        mark = bare.split(" ", 1)[0]
        if mark == PROMPT:
            if source:
                yield "\n".join(source), "\n".join(wanted)
            source, wanted = [bare[len(PROMPT) + 1 :]], []
        elif mark == GOES_ON and source and not wanted:
            source.append(bare[len(GOES_ON) + 1 :])
        elif source and bare:
            wanted.append(bare)
    if source:
        yield "\n".join(source), "\n".join(wanted)


def _statement(source: str, wanted: str) -> str:
    """The code, asserting that it gives what is wanted."""
    source = source.rstrip().removesuffix(";")
    if not wanted:
        return source
    tree = _parsed(source)
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        raise NotATestError("it prints while a statement runs")
    value = tree.body[0].value
    match value:
        case ast.Call(func=ast.Name("print"), args=[printed], keywords=[]):
            return f"assert str({ast.unparse(printed)}) == {wanted!r}"
        case ast.Call(func=ast.Name("print")):
            raise NotATestError("it prints several values at once")
        case _:
            pass
    if wanted == "True":
        return f"assert {ast.unparse(value)}"
    try:
        ast.literal_eval(wanted)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return f"assert repr({ast.unparse(value)}) == {wanted!r}"
    return f"assert {ast.unparse(value)} == {wanted}"


def _parsed(text: str) -> ast.Module:
    try:
        return parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotATestError("it is not Python") from error
