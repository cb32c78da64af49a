"""Reads a submission's source without running it: is it gradable as sent, and which rules does it seem to break?

Standard library only, and nothing secret: it runs in a bounded child, because a parser can be bombed.
"""

import ast
import codecs
import io
import tokenize
from collections.abc import Mapping

from grader.guest.callgraph import CallGraph
from grader.guest.hiding import asks_who_watches
from grader.guest.imports import first_missing_import
from grader.guest.inspection import Inspection, Refusal, SourceRules
from grader.guest.landmarks import find_landmarks, place_in
from grader.guest.order import order_refusal
from grader.guest.signatures import entry_point_refusal, find_definition, find_definitions, is_by_name
from grader.guest.structure import structural_findings
from grader.guest.submission import Submission

TOO_DEEP = (
    "The file could not be read as Python: it is too deeply nested or too large for the parser. "
    "Simplify the expression, or split it over several statements."
)


class _Refused(Exception):
    """`path` and `line` are where the student has to look."""

    def __init__(self, message: str, path: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.path, self.line = message, path, line

    def refusal(self, main: str) -> Refusal:
        return Refusal(self.message, None if self.line is None else place_in(self.path, self.line, main))


def inspect_source(submission: Submission, rules: SourceRules) -> Inspection:
    """Everything that the source alone tells. Never raises for anything that a student can write."""
    try:
        _check_size(submission, rules)
        trees = {path: _parse(path, source) for path, source in submission.files.items()}
        _check_imports(submission, trees, rules)
        _check_entry_points(submission, trees, rules)
        return _read_structure(submission, trees, rules)
    except _Refused as refused:
        return Inspection(refusal=refused.refusal(submission.main))
    except (RecursionError, MemoryError):
        return Inspection(refusal=Refusal(TOO_DEEP))


def _check_size(submission: Submission, rules: SourceRules) -> None:
    too_large = submission.too_large(rules.source_bytes)
    if too_large:
        raise _Refused(too_large)
    if not submission.source.removeprefix(codecs.BOM_UTF8).strip():
        raise _Refused(f"{_name(submission.main)} is empty. Save your work, then submit again.")


def _parse(path: str, source: bytes) -> ast.Module:
    _check_text(path, source)
    try:
        tree = ast.parse(source, filename=path)
        compile(tree, path, "exec", dont_inherit=True)  # finds what the parser lets pass, such as a stray `return`
        return tree
    except SyntaxError as error:
        what = f"{type(error).__name__}: {error.msg}"
        raise _Refused(
            f"{_name(path)} is not valid Python, line {error.lineno}: {what}.", path, error.lineno
        ) from error
    except ValueError as error:
        raise _Refused(f"{_name(path)} is not valid Python: {error}.") from error


def _check_text(path: str, source: bytes) -> None:
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _Refused(f"{_name(path)} is UTF-16 text: save it as UTF-8.", path, 1)
    nul = source.find(b"\0")
    if nul >= 0:
        line = source.count(b"\n", 0, nul) + 1
        raise _Refused(f"{_name(path)} has a NUL byte in line {line}: save it as plain UTF-8 text.", path, line)
    try:
        source.decode("utf-8-sig")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        message = f"{_name(path)} is not UTF-8 text (line {line}): save it with that encoding."
        raise _Refused(message, path, line) from error
    except SyntaxError as error:
        message = f"{_name(path)} declares an encoding that Python does not know: {error}."
        raise _Refused(message, path, 1) from error
    if encoding not in ("utf-8", "utf-8-sig"):
        raise _Refused(f"{_name(path)} declares the encoding {encoding}; only UTF-8 is accepted.", path, 1)


def _check_imports(submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules) -> None:
    for path, tree in trees.items():
        missing = first_missing_import(path, tree, frozenset(submission.files), rules)
        if missing is not None:
            where = f"{_name(path)}, line {missing.line}: "
            raise _Refused(where + missing.message, path, missing.line)


def _check_entry_points(submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules) -> None:
    definitions = find_definitions(submission.main, trees)
    for entry in rules.entry_points:
        refusal = order_refusal(entry, submission.main, trees) or (
            entry_point_refusal(entry, definitions, _name(submission.main))
        )
        if refusal is not None:
            path = (refusal.place and refusal.place.file) or submission.main
            raise _Refused(refusal.message, path, refusal.place.line if refusal.place else None)


def _read_structure(submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules) -> Inspection:
    graph = CallGraph(trees)
    found = {entry: find_definition(entry.name, submission.main, trees) for entry in rules.entry_points}
    defined = {entry: definition for entry, definition in found.items() if definition is not None}
    return Inspection(
        findings=(
            *structural_findings(graph, submission.main, trees, rules),
            *asks_who_watches(submission.main, trees),
        ),
        places={entry.name: place_in(at.path, at.node.lineno, submission.main) for entry, at in defined.items()},
        by_name=tuple(entry.name for entry, at in defined.items() if is_by_name(at.node, entry)),
        landmarks=find_landmarks(graph, submission.main, rules),
        reachable={entry.name: tuple(sorted(_reachable(graph, entry.name, rules))) for entry in rules.entry_points},
    )


def _reachable(graph: CallGraph, name: str, rules: SourceRules) -> set[str]:
    """Functions; and entry points by no more than their name, since a rule may ask whether one is used in another."""
    by_name = {found.rpartition(".")[2] for found in graph.reachable_from(name, is_by_name=True)}
    return graph.reachable_from(name) | by_name & {entry.name for entry in rules.entry_points}


def _name(path: str) -> str:
    return path.rpartition("/")[2]
