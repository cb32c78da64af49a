"""Does the submission define what it must, and can that be called as the contract says? Standard library only."""

import ast
import difflib
from collections.abc import Mapping

from grader.guest.definitions import Definition, Definitions, find_definitions
from grader.guest.inspection import EntryKind, EntryPoint, Place, Refusal


def is_by_name(node: Definition, entry: EntryPoint) -> bool:
    """Whether its arguments can only be passed by name."""
    return isinstance(node, ast.FunctionDef) and not _by_position(node.args, entry)


def entry_point_refusal(entry: EntryPoint, definitions: Definitions, filename: str) -> Refusal | None:
    """Why `entry` cannot be called, if so. A name bound by an import or an assignment is taken on trust."""
    node = definitions.nodes.get(entry.name)
    if node is None:
        return None if entry.name in definitions.others else _missing(entry, definitions, filename)
    if isinstance(node, ast.AsyncFunctionDef):
        return Refusal(f"`{entry.name}` is an async function; write it with plain `def`.", Place(node.lineno))
    if isinstance(node, ast.ClassDef):
        return _class_refusal(entry, node)
    return None if _is_callable_with(node.args, entry) else _unlike(entry, node.lineno)


def _class_refusal(entry: EntryPoint, node: ast.ClassDef) -> Refusal | None:
    """A constructor or a method that is not in the class itself may be inherited, and one that is assigned there
    (`forward = call`) is whatever it is: both are taken on trust.
    """
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    if entry.kind is not EntryKind.CLASS:
        return None
    if (init := methods.get("__init__")) is not None and not _is_callable_with(without_self(init.args), entry):
        return _unlike(entry, init.lineno)
    missing = [name for name in entry.methods if name not in _bound_in(node)]
    inherits = any(not (isinstance(base, ast.Attribute) and base.attr == "Module") for base in node.bases)
    if not inherits and "__init__" not in methods and difflib.get_close_matches("__init__", methods, n=1, cutoff=0.8):
        return _missing_method(entry, "__init__", node, methods)
    if missing and not inherits:
        return _missing_method(entry, missing[0], node, methods)
    without_input = next(
        (methods[name] for name in entry.methods if name in methods and _is_closed(methods[name])), None
    )
    if without_input is not None:
        message = (
            f"`{without_input.name}` of `{entry.name}` cannot be called: a method takes `self` first, then its input."
        )
        return Refusal(message, Place(without_input.lineno))
    return None


def _bound_in(node: ast.ClassDef) -> set[str]:
    """What the class itself calls something: its methods, also those under an `if`, and names that it assigns."""
    body = find_definitions(node.name, {node.name: ast.Module(node.body, [])})
    return body.others | {name for name, inner in body.nodes.items() if not isinstance(inner, ast.AsyncFunctionDef)}


def _missing_method(
    entry: EntryPoint, name: str, node: ast.ClassDef, methods: Mapping[str, ast.FunctionDef]
) -> Refusal:
    near = difflib.get_close_matches(name, methods, n=1, cutoff=0.75)
    if not near:
        return Refusal(f"`{entry.name}` does not define the method `{name}`.", Place(node.lineno))
    line = methods[near[0]].lineno
    hint = f"There is `{near[0]}` in line {line}: is that a typo?"
    return Refusal(f"`{entry.name}` does not define the method `{name}`. {hint}", Place(line))


def _is_closed(method: ast.FunctionDef) -> bool:
    """Whether a `forward` takes no argument, or itself alone."""
    given = [*method.args.posonlyargs, *method.args.args]
    is_plain = not method.decorator_list and method.args.vararg is None and not method.args.kwonlyargs
    return method.name == "forward" and is_plain and len(given) < 2


def without_self(arguments: ast.arguments) -> ast.arguments:
    """A method's parameters as its callers see them: without the first positional one."""
    fields = {name: getattr(arguments, name) for name in arguments._fields}
    if arguments.posonlyargs:
        return ast.arguments(**fields | {"posonlyargs": arguments.posonlyargs[1:]})
    return ast.arguments(**fields | {"args": arguments.args[1:]})


def _unlike(entry: EntryPoint, line: int) -> Refusal:
    return other_signature(entry, f". Expected: {entry.written}.", Place(line))


def other_signature(entry: EntryPoint, difference: str, place: Place) -> Refusal:
    """The refusal of a definition that cannot be called as the exercise says."""
    return Refusal(f"`{entry.name}` has a different signature from the one in the exercise{difference}", place)


def _missing(entry: EntryPoint, definitions: Definitions, filename: str) -> Refusal:
    message = f"{filename} does not define `{entry.written}` at its top level."
    by_letters = {_letters(name): name for name in definitions.nodes}
    near = difflib.get_close_matches(_letters(entry.name), by_letters, n=1, cutoff=0.75)
    if not near:
        return Refusal(message)
    name, is_class = by_letters[near[0]], entry.kind is EntryKind.CLASS
    node = definitions.nodes[name]
    if isinstance(node, ast.ClassDef) is not is_class:
        found, wanted = ("function", "class") if is_class else ("class", "function")
        hint = f"There is a {found} `{name}` in line {node.lineno}: it should be a {wanted}."
    else:
        hint = f"There is `{name}` in line {node.lineno}: is that a typo?"
    return Refusal(f"{message} {hint}", Place(node.lineno))


def _letters(name: str) -> str:
    """However its words are joined."""
    return name.replace("_", "").lower()


def _is_callable_with(arguments: ast.arguments, entry: EntryPoint) -> bool:
    """Names of the contract in another place than its own would be bound to other arguments by position."""
    return _is_in_place(arguments, entry) and (_by_name(arguments, entry) or _by_position(arguments, entry))


def positional_names(arguments: ast.arguments) -> list[str]:
    """Those of the parameters that can be given by position, in order."""
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]


def _is_in_place(arguments: ast.arguments, entry: EntryPoint) -> bool:
    names, order = positional_names(arguments), entry.parameters
    return all(name not in order or order.index(name) == place for place, name in enumerate(names)) and (
        not set(names[: len(order)]) & set(entry.keywords)
    )


def _by_name(arguments: ast.arguments, entry: EntryPoint) -> bool:
    names = [argument.arg for argument in arguments.args]
    required = set(names[: len(names) - len(arguments.defaults)] if len(arguments.defaults) <= len(names) else [])
    required |= _required_keywords(arguments)
    accepted = set(names) | {argument.arg for argument in arguments.kwonlyargs}
    wanted = {*entry.parameters, *entry.keywords}
    return not arguments.posonlyargs and required <= wanted and (wanted <= accepted or arguments.kwarg is not None)


def _by_position(arguments: ast.arguments, entry: EntryPoint) -> bool:
    """The parameters in their places, whatever they are called; what the contract gives by name is found by name."""
    positional = positional_names(arguments)
    keywords = {argument.arg for argument in arguments.kwonlyargs}
    required = len(positional) - len(arguments.defaults)
    count = len(entry.parameters)
    if not _required_keywords(arguments) <= set(entry.keywords) or required > count:
        return False
    if len(positional) < count and arguments.vararg is None:
        return False
    return (set(entry.keywords) <= keywords or arguments.kwarg is not None) and _is_in_place(arguments, entry)


def _required_keywords(arguments: ast.arguments) -> set[str]:
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {argument.arg for argument, default in pairs if default is None}
