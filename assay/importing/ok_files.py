"""Otter's files of tests: in the OK format, or as functions that raise. Read as syntax, never run."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.importing.assignment import Assignment, ImportRefusedError
from assay.importing.cells import read_bounded
from assay.importing.doctests import NotATestError, from_session
from assay.importing.syntax import parsed

ENVIRONMENT = "env"  # the parameter that is the whole of a student's notebook


@dataclass(frozen=True)
class WrittenTest:
    """A test as statements, with the points that it says itself."""

    where: str
    source: str
    points: float | None
    is_hidden: bool


def tests_in(path: Path, found: Assignment) -> tuple[float | None, list[WrittenTest]]:
    """The points of the file and its tests; what cannot be read of it is noted. Raises ImportRefusedError."""
    where = f"tests/{path.name}"
    content = read_bounded(path)
    try:
        tree = parsed(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ImportRefusedError(f"{where} is not Python.") from error
    given = {name: value for node in tree.body if isinstance(node, ast.Assign) for name, value in _assigned(node)}
    if isinstance(given.get("test"), dict):
        return _points(given["test"]), list(_ok_cases(given["test"], where, found))
    return _points(given), list(_functions(tree, where, found))


def body_of(text: str) -> str | None:
    """Returns the body of the test function in a cell, whose parameters are names of the notebook; None if the cell
    holds none. Raises NotATestError.
    """
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    others = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    if len(functions) != 1 or not all(_is_call_of(functions[0].name, node) for node in others):
        return None
    return _body(functions[0])


def _is_call_of(name: str, node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == name


def _body(function: ast.FunctionDef) -> str:
    if ENVIRONMENT in {argument.arg for argument in function.args.args}:
        raise NotATestError("it looks names up in `env`")
    return "\n".join(map(ast.unparse, function.body))


def _assigned(node: ast.Assign) -> Iterator[tuple[str, Any]]:
    for target in node.targets:
        if isinstance(target, ast.Name):
            try:
                yield target.id, ast.literal_eval(node.value)
            except (ValueError, RecursionError, MemoryError):
                continue


def _points(given: Mapping[str, Any]) -> float | None:
    points = given.get("points")
    is_number = isinstance(points, int | float) and not isinstance(points, bool)
    return float(points) if is_number and points is not None and 0 <= points < 1e9 else None


def _ok_cases(test: dict[str, Any], where: str, found: Assignment) -> Iterator[WrittenTest]:
    suites = test.get("suites")
    cases = [
        case
        for suite in (suites if isinstance(suites, list) else [])
        if isinstance(suite, dict) and isinstance(suite.get("cases"), list)
        for case in suite["cases"]
        if isinstance(case, dict)
    ]
    for number, case in enumerate(cases, start=1):
        place = f"{where}, case {number}"
        try:
            source = from_session(str(case.get("code", "")))
        except NotATestError as error:
            found.leave(place, f"this test is left out: {error}")
            continue
        yield WrittenTest(place, source, _points(case), case.get("hidden") is True)


def _functions(tree: ast.Module, where: str, found: Assignment) -> Iterator[WrittenTest]:
    """Those under `@test_case(points=..., hidden=...)`."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        place = f"{where}, {node.name}"
        said = dict(_keywords(node.decorator_list[0]))
        try:
            yield WrittenTest(place, _body(node), _points(said), said.get("hidden") is True)
        except NotATestError as error:
            found.leave(place, f"this test is left out: {error}")


def _keywords(decorator: ast.expr) -> Iterator[tuple[str, Any]]:
    for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if keyword.arg and isinstance(keyword.value, ast.Constant):
            yield keyword.arg, keyword.value.value
