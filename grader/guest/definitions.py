"""What a module binds at its top level, and where a name of it is defined. Standard library only."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.guest.imports import absolute_module, is_never_run

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass
class Definitions:
    """What a module binds at its top level: definitions with their node, other names (assigned, imported) without."""

    nodes: dict[str, Definition] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)

    def forget(self, names: set[str]) -> None:
        """They were deleted, or given another value."""
        self.others -= names
        for name in names:
            self.nodes.pop(name, None)

    def rebind(self, names: set[str]) -> None:
        """They were assigned to: callable or not, nobody knows."""
        self.forget(names)
        self.others |= names


def _names(targets: list[ast.expr]) -> set[str]:
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def find_definitions(main: str, trees: Mapping[str, ast.Module], read: set[str] | None = None) -> Definitions:
    """The names that `main` binds; `from sibling import *` takes the sibling's names along. Files that are `read` are
    not read again: siblings that all import each other in this way are as many ways as they have orders.
    """
    read = {main} if read is None else read
    found = Definitions()
    unconditional = frozenset(trees[main].body)
    for statement in _top_level(trees[main].body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.nodes[statement.name] = statement
            case ast.ImportFrom():
                for alias in statement.names:
                    if alias.name == "*":
                        found.others |= _sibling_names(absolute_module(main, statement), trees, read)
                    else:
                        found.others.add(alias.asname or alias.name)
            case ast.Import():
                found.others |= {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
            case ast.Delete(targets=targets):
                found.forget(_names(targets))
            case ast.Assign(targets=targets, value=ast.Constant()) if statement in unconditional:
                found.forget(_names(targets))  # `rope = None` for sure: not in one branch of several
            case _:
                found.rebind(_bound_by(statement))
    return found


def _bound_by(statement: ast.stmt) -> set[str]:
    """Names that are given a value here, in whatever way but a definition or an import."""
    match statement:
        case ast.Assign(targets=targets):
            return _names(targets)
        case ast.AnnAssign(target=target) | ast.For(target=target):
            return _names([target])
        case ast.With(items=items):
            return _names([item.optional_vars for item in items if item.optional_vars is not None])
        case ast.Expr() | ast.Assert():
            return {node.target.id for node in ast.walk(statement) if isinstance(node, ast.NamedExpr)}
        case _:
            return set()


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        match statement:
            case ast.If() if is_never_run(statement.test):
                yield from _top_level(statement.orelse)
            case ast.If() | ast.For() | ast.While():
                yield from _top_level(statement.body + statement.orelse)
            case ast.With():
                yield from _top_level(statement.body)
            case ast.Try():
                handlers = [inner for handler in statement.handlers for inner in handler.body]
                yield from _top_level(statement.body + handlers + statement.orelse + statement.finalbody)
            case _:
                pass


def _sibling_names(module: str, trees: Mapping[str, ast.Module], read: set[str]) -> set[str]:
    """What `from module import *` brings, through packages and further stars. Nothing for a library."""
    folder = module.replace(".", "/")
    for path in (f"{folder}.py", f"{folder}/__init__.py"):
        if path in trees and path not in read:
            read.add(path)
            inner = find_definitions(path, trees, read)
            return set(inner.nodes) | inner.others
    return set()


@dataclass(frozen=True)
class Defined:
    """Where a name of the uploaded file is defined: there, or in the sibling that it is imported from."""

    path: str
    node: Definition


def find_definition(name: str, main: str, trees: Mapping[str, ast.Module]) -> Defined | None:
    """Follows `name = other` and `from sibling import name`, also under another name and through several files."""
    path, seen = main, set[tuple[str, str]]()
    known: dict[str, tuple[Definitions, dict[str, tuple[str, str]]]] = {}  # each file once, however long the way
    while (path, name) not in seen:
        seen.add((path, name))
        if path not in known:
            known[path] = find_definitions(path, trees), _origins(path, trees)
        definitions, origins = known[path]
        node = definitions.nodes.get(name)
        if node is not None:
            return Defined(path, node)
        path, name = origins.get(name, (path, name))
    return None


def _origins(path: str, trees: Mapping[str, ast.Module]) -> dict[str, tuple[str, str]]:
    """Name -> the file that it comes from and what it is called there, or its other name in the same file. The last
    origin counts.
    """
    found: dict[str, tuple[str, str]] = {}
    stars = set[str]()
    for statement in reversed(list(_top_level(trees[path].body))):
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Name(id=original)):
                found.setdefault(bound, (path, original))
            case ast.ImportFrom():
                module = absolute_module(path, statement)
                folder = module.replace(".", "/")
                source = next((file for file in (f"{folder}.py", f"{folder}/__init__.py") if file in trees), None)
                if source is None or source == path:
                    continue
                for alias in reversed(statement.names):
                    if alias.name != "*":
                        found.setdefault(alias.asname or alias.name, (source, alias.name))
                    elif source not in stars:
                        stars.add(source)
                        for name in _sibling_names(module, trees, {path}):
                            found.setdefault(name, (source, name))
    return found
