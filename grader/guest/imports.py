"""Which import of a module cannot succeed in the sandbox? Standard library only, nothing secret."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.guest.inspection import SourceRules

GUARDS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(frozen=True)
class MissingImport:
    """An import that cannot succeed, with a sentence for the student."""

    message: str
    line: int


@dataclass(frozen=True)
class _Import:
    module: str  # absolute dotted name
    names: tuple[str, ...]  # what is taken from it; empty for `import module`
    line: int
    written: str = ""  # as the student wrote it
    is_beyond: bool = False  # a relative import that leaves the student's package


def first_missing_import(
    path: str, tree: ast.Module, files: frozenset[str], rules: SourceRules
) -> MissingImport | None:
    """The first import that would run when the module is imported and cannot be served, if there is one.

    Left alone: imports in functions, under an `if` that may be false here, and where the failure is caught.
    """
    for found in _imports(path, tree.body):
        if found.is_beyond:
            return MissingImport(_explain_beyond(path, found), found.line)
        if not _is_served(found, files, rules):
            return MissingImport(_explain(found, files, rules), found.line)
    return None


def _imports(path: str, body: list[ast.stmt]) -> Iterator[_Import]:
    for statement in body:
        match statement:
            case ast.Import():
                for alias in statement.names:
                    yield _Import(alias.name, (), statement.lineno)
            case ast.ImportFrom():
                names = tuple(alias.name for alias in statement.names)
                beyond = statement.level > len(PurePosixPath(path).parent.parts)
                written = "." * statement.level + (statement.module or "")
                yield _Import(absolute_module(path, statement), names, statement.lineno, written, beyond)
            case ast.If(test=test):
                yield from _imports(path, statement.body if _is_always_run(test) else [])
                yield from _imports(path, statement.orelse if is_never_run(test) else [])
            case ast.Try() if not _is_guarded(statement):
                yield from _imports(path, statement.body + statement.orelse + statement.finalbody)
            case ast.With() if any(_suppresses(item.context_expr) for item in statement.items):
                pass
            case ast.With() | ast.For() | ast.While() | ast.ClassDef():
                yield from _imports(path, statement.body)
            case _:
                pass


def absolute_module(path: str, statement: ast.ImportFrom) -> str:
    """The dotted name that `statement` in the file at `path` imports from."""
    if not statement.level:
        return statement.module or ""
    package = PurePosixPath(path).parent.parts
    base = package[: len(package) - statement.level + 1]
    return ".".join([*base, *([statement.module] if statement.module else [])])


def is_never_run(test: ast.expr) -> bool:
    """Whether the body of `if test:` is left out when a module is imported."""
    match test:
        case ast.Constant(value=value):
            return not value
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]):
            return True
        case ast.Compare(left=ast.Constant(value="__main__"), ops=[ast.Eq()], comparators=[ast.Name(id="__name__")]):
            return True
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case ast.BoolOp(op=ast.And(), values=values):
            return any(is_never_run(value) for value in values)
        case _:
            return False


def _is_always_run(test: ast.expr) -> bool:
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_never_run(operand)
        case _:
            return False


def _is_guarded(statement: ast.Try) -> bool:
    types = [handler.type for handler in statement.handlers if handler.type is not None]
    return len(types) < len(statement.handlers) or any(_names_a_guard(caught) for caught in types)


def _suppresses(manager: ast.expr) -> bool:
    match manager:
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=arguments):
            return any(_names_a_guard(caught) for caught in arguments)
        case _:
            return False


def _names_a_guard(caught: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id in GUARDS for node in ast.walk(caught))


def _is_served(found: _Import, files: frozenset[str], rules: SourceRules) -> bool:
    top = found.module.partition(".")[0]
    if _is_sent(found.module, files):
        return True
    if _is_sent_package(found.module, files):
        return all(name == "*" or _is_sent(f"{found.module}.{name}", files) for name in found.names)
    return top in sys.stdlib_module_names or top in rules.modules


def _is_sent(module: str, files: frozenset[str]) -> bool:
    path = module.replace(".", "/")
    return f"{path}.py" in files or f"{path}/__init__.py" in files


def _is_sent_package(module: str, files: frozenset[str]) -> bool:
    return any(file.startswith(module.replace(".", "/") + "/") for file in files)


def _explain_beyond(path: str, found: _Import) -> str:
    package = PurePosixPath(path).parts[0]
    if package == path:
        return (
            f"`from {found.written} import ...` is a relative import, but {path} is not in a "
            f"package. Remove the leading dots."
        )
    return (
        f"`from {found.written} import ...` leaves the package `{package}`: each dot beyond the first goes up one "
        f"folder. Only modules of `{package}` itself are uploaded, so move what you need into it."
    )


def _explain(found: _Import, files: frozenset[str], rules: SourceRules) -> str:
    top = found.module.partition(".")[0]
    own_package = next(iter(files)).partition("/")[0]
    if top == own_package or not found.module:
        return (
            f"imports from `{found.module or '.'}`, but that file was not uploaded. "
            "Keep it in the same package, so that `engine submit-build` uploads it, "
            "or copy what you need into the file you submit."
        )
    return (
        f"imports `{found.module}`, which is not available here. You may use the standard library, "
        f"{', '.join(rules.modules)}, and your own modules."
    )
