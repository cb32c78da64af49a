"""Do the parameters stand in the order that the exercise prints, wherever they are defined? Standard library only."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.guest.definitions import Defined, find_definition
from grader.guest.inspection import EntryKind, EntryPoint, Refusal, place_in
from grader.guest.signatures import other_signature, positional_names, without_self


@dataclass(frozen=True)
class _Parameters:
    """What can be given by position, in order, and where that is written; what can be given by name alone."""

    names: Sequence[str]
    path: str
    line: int
    by_name: Sequence[str] = ()


def order_refusal(entry: EntryPoint, main: str, trees: Mapping[str, ast.Module]) -> Refusal | None:
    """What stands in another place than the contract's, if anything does.

    A caller may give any argument by position, so an order of its own is another signature, whatever the names, and so
    are names alone. Names that are the student's own say nothing, nor does `*args`: there the calls decide, which are
    made in both ways.
    """
    found = find_definition(entry.name, main, trees)
    parameters = None if found is None else _parameters_of(found, entry, trees)
    if parameters is None:
        return None
    said = _difference(parameters.names, entry) or _by_name_alone(parameters, entry)
    if said is None:
        return None
    place = place_in(parameters.path, parameters.line, main)
    return other_signature(entry, f": {said}; the order is {entry.written}.", place)


def _difference(names: Sequence[str], entry: EntryPoint) -> str | None:
    """The first of the contract's names that stands before one that it should follow, or behind one of no contract."""
    order = (*entry.parameters, *entry.keywords)
    for place, name in enumerate(names[: len(entry.parameters)]):
        if name in order and order.index(name) != place:
            passed = next((other for other in order[: order.index(name)] if other in names[place:]), None)
            if passed is not None:
                return f"`{name}` comes before `{passed}`"
    for place, name in enumerate(names):
        foreign = next((other for other in names[:place] if other not in order), None)
        if name in entry.parameters and entry.parameters.index(name) < place and foreign is not None:
            return f"`{foreign}` comes before `{name}`"
    return None


def _by_name_alone(parameters: _Parameters, entry: EntryPoint) -> str | None:
    """The first of the contract's parameters that is behind the student's `*`, or left to `**kwargs`."""
    behind = entry.parameters[len(parameters.names) :]
    name = next((name for name in behind if name in parameters.by_name), None)
    return None if name is None else f"`{name}` can only be passed by name"


def _parameters_of(found: Defined, entry: EntryPoint, trees: Mapping[str, ast.Module]) -> _Parameters | None:
    match found.node:
        case ast.FunctionDef(args=arguments, lineno=line):
            return _of_function(arguments, entry, found.path, line)
        case ast.ClassDef() if entry.kind is EntryKind.CLASS:
            return _of_constructor(found, entry, trees, set())
        case _:
            return None


def _of_function(arguments: ast.arguments, entry: EntryPoint, path: str, line: int) -> _Parameters:
    named = [argument.arg for argument in arguments.kwonlyargs]
    if arguments.kwarg is not None:
        named = [*named, *entry.parameters]
    return _Parameters(positional_names(arguments), path, line, () if arguments.vararg is not None else named)


def _of_constructor(
    found: Defined, entry: EntryPoint, trees: Mapping[str, ast.Module], seen: set[ast.AST]
) -> _Parameters | None:
    """Of `__init__`, of a dataclass's fields, or of the first base that is the student's and has either."""
    node = found.node
    if not isinstance(node, ast.ClassDef) or node in seen:
        return None
    seen.add(node)
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
            return _of_function(without_self(inner.args), entry, found.path, inner.lineno)
    if _is_dataclass(node):
        return _Parameters(_fields(node), found.path, node.lineno)
    bases = (find_definition(base.id, found.path, trees) for base in node.bases if isinstance(base, ast.Name))
    inherited = (_of_constructor(base, entry, trees, seen) for base in bases if base is not None)
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
