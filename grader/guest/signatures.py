"""Does the submission define what it must, and can that be called as the contract says? Standard library only."""

import ast
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.guest.imports import absolute_module, is_never_run
from grader.guest.inspection import EntryKind, EntryPoint, Place, Refusal

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
    """A constructor or a method that is not in the class itself may be inherited: taken on trust."""
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    if entry.kind is not EntryKind.CLASS:
        return None
    if (init := methods.get("__init__")) is not None and not _is_callable_with(without_self(init.args), entry):
        return _unlike(entry, init.lineno)
    missing = [name for name in entry.methods if name not in methods]
    inherits = any(not (isinstance(base, ast.Attribute) and base.attr == "Module") for base in node.bases)
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
    return other_signature(entry, f". Expected: {written(entry)}.", Place(line))


def other_signature(entry: EntryPoint, difference: str, place: Place) -> Refusal:
    """The refusal of a definition that cannot be called as the exercise says."""
    return Refusal(f"`{entry.name}` has a different signature from the one in the exercise{difference}", place)


def written(entry: EntryPoint) -> str:
    """The entry point as the exercise prints it, defaults left open."""
    return f"{entry.name}({', '.join(_expected(entry))})"


def _missing(entry: EntryPoint, definitions: Definitions, filename: str) -> Refusal:
    message = f"{filename} does not define `{written(entry)}` at its top level."
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


def _expected(entry: EntryPoint) -> list[str]:
    required = len(entry.parameters) - entry.optional
    positional = [name if index < required else f"{name}=..." for index, name in enumerate(entry.parameters)]
    return [*positional, "*", *entry.keywords] if entry.keywords else positional


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
