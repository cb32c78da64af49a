"""Reads a submission's source without running it: is it gradable as sent, and which rules does it seem to break?

Standard library only, and nothing secret: it runs in a bounded child, because a parser can be bombed.
"""

import ast
import codecs
from collections.abc import Iterator, Mapping
from itertools import islice

from grader.guest.adapters import weight_copies
from grader.guest.callgraph import CallGraph
from grader.guest.definitions import Definition, find_definition
from grader.guest.gradable import TOO_DEEP, read_trees
from grader.guest.inspection import EntryPoint, Inspection, Refusal, SourceRules, WeightCopy, place_in
from grader.guest.introspection import introspects
from grader.guest.landmarks import find_landmarks
from grader.guest.signatures import is_by_name
from grader.guest.structure import structural_findings
from grader.guest.submission import Submission

MOST_COPIES = 4  # modules that are told of


def inspect_source(submission: Submission, rules: SourceRules) -> Inspection:
    """Everything that the source alone tells. Never raises for anything that a student can write."""
    try:
        trees = read_trees(submission, rules)
        return Inspection(refusal=trees) if isinstance(trees, Refusal) else _read_structure(submission, trees, rules)
    except (RecursionError, MemoryError):
        return Inspection(refusal=Refusal(TOO_DEEP))


def _read_structure(submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules) -> Inspection:
    graph = CallGraph(trees)
    found = {entry: find_definition(entry.name, submission.main, trees) for entry in rules.entry_points}
    defined = {entry: definition for entry, definition in found.items() if definition is not None}
    return Inspection(
        findings=(
            *structural_findings(graph, submission.main, trees, rules),
            *introspects(submission.main, trees),
        ),
        places={entry.name: place_in(at.path, at.node.lineno, submission.main) for entry, at in defined.items()},
        ends={
            entry.name: place_in(at.path, _last_line(at.node, entry), submission.main) for entry, at in defined.items()
        },
        by_name=tuple(entry.name for entry, at in defined.items() if is_by_name(at.node, entry)),
        landmarks=find_landmarks(graph, submission.main, rules),
        copies=() if submission.is_notebook else tuple(_copies(graph, submission, trees, rules)),
        reachable={entry.name: tuple(sorted(_reachable(graph, entry.name, rules))) for entry in rules.entry_points},
    )


def _copies(
    graph: CallGraph, submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules
) -> Iterator[WeightCopy]:
    """Lines that end as on Windows are the same lines; any other text that Python counts otherwise has none here."""
    sources = {
        path: source.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n") for path, source in submission.files.items()
    }
    if not any(b"\r" in source or b"\f" in source for source in sources.values()):
        yield from islice(weight_copies(graph, submission.main, trees, sources, rules), MOST_COPIES)


def _last_line(node: Definition, entry: EntryPoint) -> int:
    """Of the last statement of what is called: it returns, or should."""
    methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name in entry.methods]
    called = methods[0] if isinstance(node, ast.ClassDef) and methods else node
    return called.body[-1].lineno


def _reachable(graph: CallGraph, name: str, rules: SourceRules) -> set[str]:
    """Functions; of the main entry point others too, by no more than their name: rules may ask whether it uses them."""
    if name != rules.main:
        return graph.reachable_from(name)
    by_name = {found.rpartition(".")[2] for found in graph.reachable_from(name, is_by_name=True)}
    return graph.reachable_from(name) | by_name & {entry.name for entry in rules.entry_points}
