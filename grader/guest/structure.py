"""What the source seems to do against the rules: the line to point at. Whether it really does is decided by what it
was seen to do.

Standard library only, nothing secret.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Set

from grader.guest.callgraph import CallGraph
from grader.guest.inspection import FindingKind, SourceRules, StaticFinding, place_in
from grader.guest.landmarks import in_order

HEADS = re.compile(r"(^|_)(n|num|number_of)?_?heads?($|_)|^H$|^nh$", re.IGNORECASE)
LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MAPPERS = {"map", "starmap", "vmap_loop", "reduce"}


def structural_findings(
    graph: CallGraph, main: str, trees: Mapping[str, ast.Module], rules: SourceRules
) -> Iterator[StaticFinding]:
    """At most one of each kind: of loops first one over heads, by its names, then one in the uploaded file."""
    loops = [
        (not _mentions_heads(loop), in_order(place), place)
        for path, body in _bodies(graph, graph.reachable_from(rules.main))
        for loop in _loops(body)
        for place in (place_in(path, loop.lineno, main),)
    ]
    if rules.heads_parameter and loops:
        *_, place = min(loops, key=lambda loop: loop[:2])
        yield StaticFinding(FindingKind.LOOP, place)
    bodies = _bodies(graph, graph.reachable_from(rules.main, is_by_name=True))
    calls = [place_in(path, call.lineno, main) for path, call in _library_calls(trees, bodies, rules)]
    if calls:
        yield StaticFinding(FindingKind.LIBRARY, min(calls, key=in_order))
        scripts = [place_in(path, node.lineno, main) for path, node in _scripts(trees)]
        if scripts:
            yield StaticFinding(FindingKind.SCRIPT, scripts[0])


def _bodies(graph: CallGraph, names: Set[str]) -> list[tuple[str, ast.AST]]:
    return [(path, body) for name in sorted(names) for path, body in graph.bodies[name]]


def _scripts(trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, ast.Attribute | ast.ImportFrom]]:
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr == "jit":
                yield path, node
            if isinstance(node, ast.ImportFrom) and "jit" in (*(node.module or "").split("."), *_imported(node)):
                yield path, node


def _imported(statement: ast.ImportFrom) -> Iterator[str]:
    return (alias.name for alias in statement.names)


def _loops(body: ast.AST) -> Iterator[ast.For | ast.While | ast.expr]:
    for node in ast.walk(body):
        if isinstance(node, LOOPS) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAPPERS
        ):
            yield node


def _mentions_heads(loop: ast.AST) -> bool:
    match loop:
        case ast.For(iter=iterable, target=target):
            parts: list[ast.AST] = [iterable, target]
        case ast.While(test=test):
            parts = [test]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            parts = [part for generator in loop.generators for part in (generator.iter, generator.target)]
        case _:
            parts = [loop]
    names = {node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)}
    names |= {node.attr for part in parts for node in ast.walk(part) if isinstance(node, ast.Attribute)}
    return any(HEADS.search(name) for name in names)


def _library_calls(
    trees: Mapping[str, ast.Module], bodies: list[tuple[str, ast.AST]], rules: SourceRules
) -> Iterator[tuple[str, ast.Name | ast.Attribute]]:
    imported = {path: _imported_from_torch(tree, rules) for path, tree in trees.items()}
    for path, body in bodies:
        for node in ast.walk(body):
            if isinstance(node, ast.Attribute) and node.attr in rules.forbidden_calls and not _is_self(node.value):
                yield path, node
            if isinstance(node, ast.Name) and node.id in imported[path]:
                yield path, node


def _imported_from_torch(tree: ast.Module, rules: SourceRules) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "torch"
        for alias in node.names
        if alias.name in rules.forbidden_calls
    }


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")
