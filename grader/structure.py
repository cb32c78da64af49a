"""What the source seems to do against the rules: the line to point at. Whether it really does is decided by what it
was seen to do.

Standard library only, nothing secret.
"""

import ast
import re
from collections.abc import Iterator, Mapping

from grader.callgraph import CallGraph
from grader.inspection import SourceRules, Suspicion

NO_LOOP = "no-loop-over-heads"
NO_LIBRARY = "no-library-attention"
HEADS = re.compile(r"(^|_)(n|num|number_of)?_?heads?($|_)|^H$|^nh$", re.IGNORECASE)
LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MAPPERS = {"map", "starmap", "vmap_loop", "reduce"}


def suspicions(graph: CallGraph, main: str, trees: Mapping[str, ast.Module], rules: SourceRules) -> Iterator[Suspicion]:
    """At most one suspicion for each rule, in the uploaded file where there is one."""
    reachable = graph.reachable_from(rules.main)
    bodies = [body for name in sorted(reachable) for path, body in graph.bodies[name] if path == main]
    loops = sorted({(not _mentions_heads(loop), loop.lineno) for body in bodies for loop in _loops(body)})
    if rules.heads_parameter and loops:
        line = loops[0][1]
        yield Suspicion(NO_LOOP, line, f"line {line} loops")
    for call in _library_calls(trees[main], bodies, rules):
        yield Suspicion(NO_LIBRARY, call.lineno, f"line {call.lineno} uses {ast.unparse(call)}")
        break


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


def _library_calls(tree: ast.Module, bodies: list[ast.AST], rules: SourceRules) -> Iterator[ast.Name | ast.Attribute]:
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "torch"
        for alias in node.names
        if alias.name in rules.forbidden_calls
    }
    for body in bodies:
        for node in ast.walk(body):
            if isinstance(node, ast.Attribute) and node.attr in rules.forbidden_calls and not _is_self(node.value):
                yield node
            if isinstance(node, ast.Name) and node.id in imported:
                yield node


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")
