"""Where in the source a step of the exercise probably stands: lines on which tell-tale names are used.

Standard library only, nothing secret.
"""

import ast
from collections import defaultdict

from grader.callgraph import CallGraph
from grader.inspection import Place


def find_landmarks(graph: CallGraph, main: str, names: tuple[str, ...]) -> dict[str, dict[str, tuple[Place, ...]]]:
    """For each of the student's functions: name -> where it is used. In order, the uploaded file before siblings."""
    wanted = frozenset(names)
    found: dict[str, dict[str, tuple[Place, ...]]] = {}
    for function, bodies in graph.bodies.items():
        places: dict[str, set[Place]] = defaultdict(set)
        for path, body in bodies:
            for name, line in _uses(body):
                if name in wanted:
                    places[name].add(place_in(path, line, main))
        if places:
            found[function] = {name: tuple(sorted(where, key=in_order)) for name, where in places.items()}
    return found


def place_in(path: str, line: int, main: str) -> Place:
    """A line of the file at `path`, as it is told to students."""
    return Place(line, None if path == main else path)


def in_order(place: Place) -> tuple[str, int]:
    """The uploaded file first: it is what the student has open."""
    return place.file or "", place.line


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
