"""Does the submission define what it must, and can that be called as the contract says? Standard library only."""

import ast
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.imports import absolute_module, is_never_run
from grader.inspection import EntryPoint, Refusal

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


def find_definitions(main: str, trees: Mapping[str, ast.Module]) -> Definitions:
    """The names that `main` binds; `from sibling import *` takes the sibling's names along."""
    found = Definitions()
    for statement in _top_level(trees[main].body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.nodes[statement.name] = statement
            case ast.ImportFrom():
                for alias in statement.names:
                    if alias.name == "*":
                        found.others |= _sibling_names(absolute_module(main, statement), main, trees)
                    else:
                        found.others.add(alias.asname or alias.name)
            case ast.Import():
                found.others |= {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
            case ast.Delete(targets=targets):
                found.forget(_names(targets))
            case ast.Assign(targets=targets):
                found.rebind(_names(targets))
            case ast.AnnAssign(target=target):
                found.rebind(_names([target]))
            case _:
                pass
    return found


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


def _sibling_names(module: str, main: str, trees: Mapping[str, ast.Module]) -> set[str]:
    """What `from module import *` brings, through packages and further stars. Nothing for a library."""
    folder = module.replace(".", "/")
    for path in (f"{folder}.py", f"{folder}/__init__.py"):
        if path in trees and path != main:
            others = {other: tree for other, tree in trees.items() if other != main}  # a cycle of stars ends
            inner = find_definitions(path, others)
            return set(inner.nodes) | inner.others
    return set()


def entry_point_refusal(entry: EntryPoint, definitions: Definitions, filename: str) -> Refusal | None:
    """Why `entry` cannot be called, if so. A name bound by an import or an assignment is taken on trust."""
    node = definitions.nodes.get(entry.name)
    if node is None:
        return None if entry.name in definitions.others else _missing(entry, definitions, filename)
    if isinstance(node, ast.AsyncFunctionDef):
        return Refusal(f"`{entry.name}` is an async function; write it with plain `def`.", node.lineno)
    if isinstance(node, ast.FunctionDef) and not _is_callable_with(node.args, entry):
        expected = ", ".join(_expected(entry))
        return Refusal(
            f"`{entry.name}` has another signature than the exercise asks for. Expected: {entry.name}({expected}).",
            node.lineno,
        )
    return None


def _missing(entry: EntryPoint, definitions: Definitions, filename: str) -> Refusal:
    near = difflib.get_close_matches(entry.name, definitions.nodes, n=1, cutoff=0.75)
    hint = ""
    if near:
        hint = f" There is `{near[0]}` in line {definitions.nodes[near[0]].lineno}: is it meant to be this function?"
    expected = ", ".join(_expected(entry))
    message = f"{filename} does not define `{entry.name}({expected})` at its top level.{hint}"
    return Refusal(message, definitions.nodes[near[0]].lineno if near else None)


def _expected(entry: EntryPoint) -> list[str]:
    required = len(entry.parameters) - entry.optional
    return [name if index < required else f"{name}=None" for index, name in enumerate(entry.parameters)]


def _is_callable_with(arguments: ast.arguments, entry: EntryPoint) -> bool:
    return _by_name(arguments, entry) or _by_position(arguments, entry)


def _by_name(arguments: ast.arguments, entry: EntryPoint) -> bool:
    names = [argument.arg for argument in arguments.args]
    required = set(names[: len(names) - len(arguments.defaults)] if len(arguments.defaults) <= len(names) else [])
    required |= {
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    }
    accepted = set(names) | {argument.arg for argument in arguments.kwonlyargs}
    wanted = set(entry.parameters)
    return not arguments.posonlyargs and required <= wanted and (wanted <= accepted or arguments.kwarg is not None)


def _by_position(arguments: ast.arguments, entry: EntryPoint) -> bool:
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    count = len(entry.parameters)
    required = len(positional) - len(arguments.defaults)
    if any(default is None for default in arguments.kw_defaults) or required > count:
        return False
    if len(positional) < count and arguments.vararg is None:
        return False
    # A contract name in another place would be bound to the wrong argument.
    return all(
        name not in entry.parameters or entry.parameters.index(name) == place
        for place, name in enumerate(positional[:count])
    )
