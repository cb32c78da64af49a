"""Do the parameters stand in the order that the exercise prints, wherever they are defined? Standard library only."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.inspection import EntryKind, EntryPoint, Refusal
from grader.landmarks import place_in
from grader.signatures import Defined, find_definition, other_signature, positional_names, without_self, written


@dataclass(frozen=True)
class _Parameters:
    """What can be given by position, in order, and where that is written."""

    names: Sequence[str]
    path: str
    line: int


def order_refusal(entry: EntryPoint, main: str, trees: Mapping[str, ast.Module]) -> Refusal | None:
    """What stands in another place than the contract's, if anything does.

    A caller may give any argument by position, so an order of its own is another signature, whatever the names. Names
    that are the student's own say nothing, nor does `*args`: there the calls decide, which are made in both ways.
    """
    found = find_definition(entry.name, main, trees)
    parameters = None if found is None else _parameters_of(found, entry, trees)
    said = None if parameters is None else _difference(parameters.names, entry)
    if parameters is None or said is None:
        return None
    place = place_in(parameters.path, parameters.line, main)
    return other_signature(entry, f": {said}; the order is {written(entry)}.", place)


def _difference(names: Sequence[str], entry: EntryPoint) -> str | None:
    """The first of the contract's names that stands before one that it should follow, or behind one of no contract."""
    order = (*entry.parameters, *entry.keywords)
    for place, name in enumerate(names[: len(entry.parameters)]):
        if name in order and order.index(name) != place:
            passed = next((other for other in order[: order.index(name)] if other in names[place:]), None)
            if passed is not None:
                return f"`{name}` stands before `{passed}`"
    for place, name in enumerate(names):
        foreign = next((other for other in names[:place] if other not in order), None)
        if name in entry.parameters and entry.parameters.index(name) < place and foreign is not None:
            return f"`{foreign}` stands before `{name}`"
    return None


def _parameters_of(found: Defined, entry: EntryPoint, trees: Mapping[str, ast.Module]) -> _Parameters | None:
    match found.node:
        case ast.FunctionDef(args=arguments, lineno=line):
            return _Parameters(positional_names(arguments), found.path, line)
        case ast.ClassDef() if entry.kind is EntryKind.CLASS:
            return _of_constructor(found, trees, set())
        case _:
            return None


def _of_constructor(found: Defined, trees: Mapping[str, ast.Module], seen: set[ast.AST]) -> _Parameters | None:
    """Of `__init__`, of a dataclass's fields, or of the first base that is the student's and has either."""
    node = found.node
    if not isinstance(node, ast.ClassDef) or node in seen:
        return None
    seen.add(node)
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
            return _Parameters(positional_names(without_self(inner.args)), found.path, inner.lineno)
    if _is_dataclass(node):
        return _Parameters(_fields(node), found.path, node.lineno)
    bases = (find_definition(base.id, found.path, trees) for base in node.bases if isinstance(base, ast.Name))
    inherited = (_of_constructor(base, trees, seen) for base in bases if base is not None)
    return next((parameters for parameters in inherited if parameters is not None), None)


def _is_dataclass(node: ast.ClassDef) -> bool:
    """With fields of its own alone: those that it inherits, or takes by name only, are left to the calls."""
    plain = (decorator for decorator in node.decorator_list if not isinstance(decorator, ast.Call))
    return any(ast.unparse(decorator).rpartition(".")[2] == "dataclass" for decorator in plain)


def _fields(node: ast.ClassDef) -> list[str]:
    return [
        inner.target.id
        for inner in node.body
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name)
        if "ClassVar" not in ast.unparse(inner.annotation) and not isinstance(inner.value, ast.Call)
    ]
