"""Which of the student's functions can a function reach? By name, over-approximated: evidence for a message, never
a verdict.

Standard library only, nothing secret.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

IMPLICIT_METHODS = ("__init__", "__post_init__", "forward", "__call__")
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class CallGraph:
    """Functions of all files by their own name, methods as `Class.method`. A reference to a name is an edge to
    everything so called, one to a class an edge to the methods that run unnamed, its own or inherited.
    """

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.bodies: dict[str, list[tuple[str, ast.AST]]] = defaultdict(list)
        self.keywords: set[str] = set()  # all that some call gives by name
        self._methods: dict[str, set[str]] = defaultdict(set)  # own name -> `Class.method`
        self._bases: dict[str, list[str]] = defaultdict(list)
        self._aliases: dict[str, set[str]] = defaultdict(set)
        self._classes: dict[ast.AST, str] = {}  # of the methods
        for path, tree in trees.items():
            for node in ast.walk(tree):  # a class before what it holds
                self._note(path, node)

    def _note(self, path: str, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if node in self._classes:
                    name = f"{self._classes[node]}.{node.name}"
                    self._methods[node.name].add(name)
                self.bodies[name].append((path, node))
            case ast.ClassDef():
                self._bases[node.name] += [name for base in node.bases for name in _references(base)]
                methods = (inner for inner in node.body if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef))
                self._classes |= dict.fromkeys(methods, node.name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._aliases[name] |= _references(value)
                if isinstance(value, ast.Lambda):
                    self.bodies[name].append((path, value))
            case ast.keyword(arg=str(name)):
                self.keywords.add(name)
            case ast.ImportFrom() | ast.Import():
                for alias in node.names:
                    if alias.asname:
                        self._aliases[alias.asname].add(alias.name.rpartition(".")[2])
            case _:
                pass

    def reachable_from(self, name: str, *, is_by_name: bool = False) -> set[str]:
        """The student's functions that `name` can reach, itself included when it is one.

        `is_by_name`: and all that share a name with one of them, whatever class they are of. For a line to point at
        that is too much; where the source decides, nothing may be missed.
        """
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            current = waiting.pop()
            if current not in reached:
                reached.add(current)
                waiting.extend(self._edges_by_name(current) if is_by_name else self._edges(current))
        return {found for found in reached if found in self.bodies}

    def _edges_by_name(self, name: str) -> Iterator[str]:
        yield name.rpartition(".")[2]
        yield from self._edges(name)
        for _, body in self.bodies.get(name, ()):
            yield from _references(body)

    def _edges(self, name: str) -> Iterator[str]:
        yield from self._methods.get(name, ())
        yield from self._aliases.get(name, ())
        if name in self._bases:
            for method in IMPLICIT_METHODS:
                yield from self._found_first(method, self._lineage(name))
        for _, body in self.bodies.get(name, ()):
            yield from self._edges_of(body)

    def _edges_of(self, body: ast.AST) -> Iterator[str]:
        """What the body refers to: no names that it gives values itself, and of a class's own only what it has."""
        owner = self._classes.get(body)
        inner = list(ast.walk(body))
        bound = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        bound |= {node.arg for node in inner if isinstance(node, ast.arg)}
        for node in inner:
            match node:
                case ast.Name(id=name) if name not in bound:
                    yield name
                case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name) if owner:
                    yield from self._found_first(name, self._lineage(owner)[1:])
                case ast.Attribute(value=ast.Name(id="self"), attr=name) if owner:
                    yield from self._own(name, owner) or {name}
                case ast.Attribute(attr=name):
                    yield name
                case _:
                    pass

    def _lineage(self, name: str) -> list[str]:
        """The class and those that it inherits from, about in the order in which methods are looked for."""
        found: list[str] = []
        waiting = [name]
        while waiting:
            current = waiting.pop(0)
            if current not in found:
                found.append(current)
                waiting += self._bases.get(current, ()) or self._aliases.get(current, ())
        return found

    def _found_first(self, method: str, lineage: list[str]) -> list[str]:
        return [found for owner in lineage if (found := f"{owner}.{method}") in self.bodies][:1]

    def _own(self, method: str, owner: str) -> set[str]:
        """What `self.method` may be: of the class, of what it inherits from, or of what inherits from it."""
        candidates = ((found, found.rpartition(".")[0]) for found in self._methods.get(method, ()))
        return {found for found, other in candidates if other in self._lineage(owner) or owner in self._lineage(other)}


def _references(node: ast.AST) -> set[str]:
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names | {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
