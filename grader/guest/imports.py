"""Which import of a module cannot succeed in the sandbox? Standard library only, nothing secret."""

import ast
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

NOT_HERE = "is not available here"
OURS = ("grader", "worker")  # what a sandbox has of ours; nothing stands in for it
GUARDS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(frozen=True)
class Reason:
    """Why a module is not there. `message` tells it of the import, after the line; `why` is what to say of the module,
    and `advice` what to do.
    """

    message: str
    why: str = ""
    advice: str = ""


@dataclass(frozen=True)
class MissingImport:
    """A module, or a name of it, that is imported and not there.

    `bound` is what the file calls it. Nothing can stand in for a star, for a module beyond the package, or for a part
    of a package that is there. Where it stands under an `if`, the import may never be run: it is not `is_certain`. In a
    function, or where the failure is caught, it `raises`, as it does wherever the module is not installed.
    """

    statement: ast.Import | ast.ImportFrom
    alias: ast.alias
    module: str  # absolute dotted name
    name: str  # what is taken from it; empty for `import module`
    reason: Reason
    has_stand_in: bool = True
    is_certain: bool = True
    raises: bool = False

    @property
    def bound(self) -> str:
        """The name that the import binds in the file."""
        return self.alias.asname or (self.name or self.module.partition(".")[0])

    @property
    def is_own(self) -> bool:
        """Whether it is a part of the student's package, that was not sent."""
        return self.reason.why != NOT_HERE

    @property
    def line(self) -> int:
        """Where the import begins in its file; 1 is the first line."""
        return self.statement.lineno


@dataclass(frozen=True)
class _Run:
    """Whether a block of statements surely is run when the module is imported, and if a failing import is expected."""

    is_certain: bool = True
    raises: bool = False


@dataclass(frozen=True)
class _Found:
    statement: ast.Import | ast.ImportFrom
    run: _Run


def missing_imports(
    path: str, tree: ast.Module, files: Collection[str], modules: Collection[str]
) -> Iterator[MissingImport]:
    """Every import that the standard library, `modules` and `files` cannot serve, from the top down."""
    for found in sorted(_imports(tree), key=lambda found: found.statement.lineno):
        match found.statement:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if not _is_served(alias.name, files, modules):
                        yield _missing_module(path, found, alias, files, modules)
            case ast.ImportFrom(names=aliases) as statement:
                for alias in aliases:
                    missing = _missing_name(path, found, statement, alias, files, modules)
                    if missing is not None:
                        yield missing


def _imports(tree: ast.Module) -> Iterator[_Found]:
    waiting = [(tree.body, _Run())]
    while waiting:
        body, run = waiting.pop()
        for statement in body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                yield _Found(statement, run)
            else:
                waiting.extend(_inner_blocks(statement, run))


def _inner_blocks(statement: ast.stmt, run: _Run) -> Iterator[tuple[list[ast.stmt], _Run]]:
    perhaps = replace(run, is_certain=False)
    match statement:
        case ast.If(test=test):
            if not is_never_run(test):
                yield statement.body, run if _is_always_run(test) else perhaps
            if not _is_always_run(test):
                yield statement.orelse, run if is_never_run(test) else perhaps
        case ast.Try() | ast.TryStar():
            is_guarded = _is_guarded(statement)
            yield statement.body, replace(run, raises=run.raises or is_guarded)
            yield from ((handler.body, perhaps) for handler in statement.handlers)
            yield statement.orelse, perhaps if is_guarded else run
            yield statement.finalbody, run
        case ast.With(items=items):
            is_guarded = any(_suppresses(item.context_expr) for item in items)
            yield statement.body, replace(run, raises=run.raises or is_guarded)
        case ast.For() | ast.While():
            yield statement.body + statement.orelse, run
        case ast.ClassDef():
            yield statement.body, run
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield statement.body, _Run(is_certain=False, raises=True)
        case ast.Match(cases=cases):
            yield from ((case.body, perhaps) for case in cases)
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


def _is_guarded(statement: ast.Try | ast.TryStar) -> bool:
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


def _missing_module(
    path: str, found: _Found, alias: ast.alias, files: Collection[str], modules: Collection[str]
) -> MissingImport:
    """`import package.part` gives the name `package`, which is there even where the part is not."""
    top = alias.name.partition(".")[0]
    is_part = _is_sent_package(top, files) and alias.asname is None
    has_stand_in = not is_part and top not in OURS
    reason = _reason(alias.name, path, files, modules)
    return MissingImport(
        found.statement, alias, alias.name, "", reason, has_stand_in, found.run.is_certain, found.run.raises
    )


def _missing_name(
    path: str,
    found: _Found,
    statement: ast.ImportFrom,
    alias: ast.alias,
    files: Collection[str],
    modules: Collection[str],
) -> MissingImport | None:
    module = absolute_module(path, statement)
    if statement.level > len(PurePosixPath(path).parent.parts):
        reason = _beyond(path, "." * statement.level + (statement.module or ""))
        return MissingImport(statement, alias, module, alias.name, reason, False, found.run.is_certain, False)
    is_there = (
        alias.name == "*" or _is_sent(f"{module}.{alias.name}", files)
        if _is_sent_package(module, files) and not _is_sent(module, files)
        else _is_served(module, files, modules)
    )
    if is_there:
        return None
    reason = _reason(module, path, files, modules)
    has_stand_in = alias.name != "*" and module.partition(".")[0] not in OURS
    return MissingImport(
        statement, alias, module, alias.name, reason, has_stand_in, found.run.is_certain, found.run.raises
    )


def _is_served(module: str, files: Collection[str], modules: Collection[str]) -> bool:
    top = module.partition(".")[0]
    if _is_sent(module, files) or _is_sent_package(module, files):
        return True
    return top in sys.stdlib_module_names or top in modules


def _is_sent(module: str, files: Collection[str]) -> bool:
    path = module.replace(".", "/")
    return f"{path}.py" in files or f"{path}/__init__.py" in files


def _is_sent_package(module: str, files: Collection[str]) -> bool:
    return any(file.startswith(module.replace(".", "/") + "/") for file in files)


def _is_own(module: str, path: str, files: Collection[str]) -> bool:
    """Whether it must be of the student's own package: beside the file that imports it, or beside another."""
    top = module.partition(".")[0]
    return not module or top == PurePosixPath(path).parts[0] or _is_sent_package(top, files)


def _beyond(path: str, written: str) -> Reason:
    package = PurePosixPath(path).parts[0]
    if package == path:
        return Reason(
            f"`from {written} import ...` is a relative import, but {path} is not in a package. "
            "Remove the leading dots."
        )
    return Reason(
        f"`from {written} import ...` leaves the package `{package}`: each dot beyond the first goes up one "
        f"folder. Only modules of `{package}` itself are uploaded, so move what you need into it."
    )


def _reason(module: str, path: str, files: Collection[str], modules: Collection[str]) -> Reason:
    if _is_own(module, path, files):
        why = "was not uploaded"
        advice = (
            "Keep it in the same package, so that `engine submit-build` uploads it, "
            "or copy what you need into the file you submit."
        )
        return Reason(f"imports from `{module or '.'}`, but that file {why}. {advice}", why, advice)
    advice = allowed(modules)
    return Reason(f"imports `{module}`, which {NOT_HERE}. {advice}", NOT_HERE, advice)


def allowed(modules: Collection[str]) -> str:
    """What a submission may import, in a sentence."""
    return f"You may use the standard library, {', '.join(modules)}, and your own modules."
