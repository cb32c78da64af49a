"""Which of the student's functions can a function reach? By name, over-approximated: evidence for a message, never
a verdict.

Standard library only, nothing secret.
"""

import ast
from collections import defaultdict
from collections.abc import Mapping

IMPLICIT_METHODS = ("__init__", "__post_init__", "forward", "__call__")
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class CallGraph:
    """Functions and methods of all files by their own name; a reference to a name is an edge to everything so
    called.
    """

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.bodies: dict[str, list[tuple[str, ast.AST]]] = defaultdict(list)
        self._methods: dict[str, list[str]] = {}
        self._aliases: dict[str, set[str]] = defaultdict(set)
        for path, tree in trees.items():
            for node in ast.walk(tree):
                self._note(path, node)

    def _note(self, path: str, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.bodies[node.name].append((path, node))
            case ast.ClassDef():
                self._methods[node.name] = [inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)]
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._aliases[name] |= _references(value)
                if isinstance(value, ast.Lambda):
                    self.bodies[name].append((path, value))
            case ast.ImportFrom() | ast.Import():
                for alias in node.names:
                    if alias.asname:
                        self._aliases[alias.asname].add(alias.name.rpartition(".")[2])
            case _:
                pass

    def reachable_from(self, name: str) -> set[str]:
        """Names of the student's functions that `name` can reach, itself included when it is one."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            current = waiting.pop()
            if current in reached:
                continue
            reached.add(current)
            for _, body in self.bodies.get(current, []):
                waiting.extend(_references(body))
            waiting.extend(self._aliases.get(current, ()))
            waiting.extend(method for method in self._methods.get(current, ()) if method in IMPLICIT_METHODS)
        return {found for found in reached if found in self.bodies}


def _references(node: ast.AST) -> set[str]:
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names | {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
