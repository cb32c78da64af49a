"""Where in the source a step of the exercise probably stands: lines on which tell-tale names are used.

Standard library only, nothing secret.
"""

import ast
from collections import defaultdict

from grader.callgraph import CallGraph


def find_landmarks(graph: CallGraph, main: str, names: tuple[str, ...]) -> dict[str, dict[str, tuple[int, ...]]]:
    """For each of the student's functions in the uploaded file: name -> lines on which it is used, in order."""
    wanted = frozenset(names)
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    for function, bodies in graph.bodies.items():
        lines: dict[str, set[int]] = defaultdict(set)
        for path, body in bodies:
            if path == main:
                for name, line in _uses(body):
                    if name in wanted:
                        lines[name].add(line)
        if lines:
            found[function] = {name: tuple(sorted(where)) for name, where in lines.items()}
    return found


def _uses(body: ast.AST) -> list[tuple[str, int]]:
    """Names as they are read, attributes at the line of the attribute itself, and the matrix product as `@`."""
    uses: list[tuple[str, int]] = []
    for node in ast.walk(body):
        match node:
            case ast.Name(id=name):
                uses.append((name, node.lineno))
            case ast.Attribute(attr=name, end_lineno=end):
                uses.append((name, end or node.lineno))
            case ast.BinOp(op=ast.MatMult()):
                uses.append(("@", node.lineno))
            case _:
                pass
    return uses
