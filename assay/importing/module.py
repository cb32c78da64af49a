"""The module that an assignment's code makes: entry points with their signatures, imports, and what else it defines."""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.importing.assignment import Assignment, ImportRefusedError
from assay.importing.solutions import signatures_of
from assay.importing.syntax import parsed
from grader.guest.inspection import EntryKind
from grader.guest.notebook import definitions_only
from grader.manifest import EntryPointSection
from grader.notebook import without_magics
from worker.sandbox.allowed_packages import ALLOWED

IMPORTABLE: Final = tuple(name for name in ALLOWED if name not in ("safetensors", "opt_einsum"))


@dataclass(frozen=True)
class Module:
    """`imports` are the statements that give a name, such as `import numpy as np`; `defined` all names at the top."""

    solution: str
    starter: str
    entries: Mapping[str, EntryPointSection]
    imports: Mapping[str, str]
    defined: frozenset[str]

    @property
    def libraries(self) -> list[str]:
        """What it imports besides the standard library, by the names that the sandbox has."""
        return sorted({*_imported(ast.parse(self.solution))} & {*IMPORTABLE} | {"torch", "numpy"})


def module_of(found: Assignment) -> Module:
    """Returns the definitions in the code of an assignment, with what they need. Raises ImportRefusedError if there is
    nothing to grade.
    """
    whole = "\n\n".join(map(without_magics, found.solution))
    tree = _parsed(whole)
    answers = {node.name for text in found.answers for node in _definitions(_parsed(without_magics(text)))}
    entries = {node.name: _entry(node) for node in _definitions(tree) if node.name in answers}
    for node in _definitions(tree):
        if node.name in entries and _takes_any(node):
            found.leave(f"`{node.name}`", "it takes *args or **kwargs, which no signature tells: name its parameters")
            del entries[node.name]
    if not entries:
        raise ImportRefusedError(
            "No cell in which students write defines a function or class, and those are what Assay grades."
        )
    solution = _tidy(definitions_only(whole.encode(), entries).decode())
    missing = sorted({*_imported(ast.parse(solution))} - {*IMPORTABLE} - sys.stdlib_module_names)
    for name in missing:
        found.leave("the solution", f"it imports {name}, which the sandbox does not have: do without it")
    return Module(solution, _starter(found, entries), entries, _imports(whole), frozenset(_names(solution)))


def _starter(found: Assignment, entries: Mapping[str, EntryPointSection]) -> str:
    """What is left without the solution; signatures alone where that is no Python, or lacks a function."""
    whole = "\n\n".join(map(without_magics, found.starter))
    try:
        names = {node.name for node in _definitions(parsed(whole))}
    except (SyntaxError, ValueError):
        names = set()
    if not names >= entries.keys():
        found.leave("the starter", "without the solution no function is left: students get the signatures instead")
        whole = "\n\n".join(map(without_magics, _with_signatures(found)))
    imports = (statement for statement in _imports(whole).values() if _is_importable(statement))
    return _tidy("\n".join(dict.fromkeys([*imports, definitions_only(whole.encode(), entries).decode()])))


def _is_importable(statement: str) -> bool:
    return {*_imported(ast.parse(statement))} <= {*IMPORTABLE} | sys.stdlib_module_names


def _with_signatures(found: Assignment) -> Iterator[str]:
    yield from (signatures_of(text) if text in found.answers else text for text in found.solution)


def _parsed(text: str) -> ast.Module:
    try:
        return parsed(text)
    except (RecursionError, MemoryError) as error:
        raise ImportRefusedError("The code of the solution is nested too deeply to be read.") from error
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line} of all cells together)" if line else ""
        raise ImportRefusedError(f"The code of the solution is not Python{where}: {error}.") from error


def _definitions(tree: ast.Module) -> list[ast.FunctionDef | ast.ClassDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def _takes_any(node: ast.FunctionDef | ast.ClassDef) -> bool:
    arguments = _arguments(node)
    return arguments.vararg is not None or arguments.kwarg is not None


def _arguments(node: ast.FunctionDef | ast.ClassDef) -> ast.arguments:
    """Of a class, those of `__init__` without self."""
    if isinstance(node, ast.FunctionDef):
        return node.args
    methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"]
    if not methods:
        return ast.parse("lambda: 0", mode="eval").body.args  # type: ignore[attr-defined, no-any-return]
    arguments = methods[0].args
    fields = {name: getattr(arguments, name) for name in arguments._fields}
    first = "posonlyargs" if arguments.posonlyargs else "args"
    return ast.arguments(**fields | {first: fields[first][1:]})


def _entry(node: ast.FunctionDef | ast.ClassDef) -> EntryPointSection:
    arguments = _arguments(node)
    is_class = isinstance(node, ast.ClassDef)
    methods = [inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)] if is_class else []
    return EntryPointSection(
        name=node.name,
        parameters=tuple(argument.arg for argument in (*arguments.posonlyargs, *arguments.args)),
        optional=len(arguments.defaults),
        keywords=tuple(argument.arg for argument in arguments.kwonlyargs),
        kind=EntryKind.CLASS if is_class else EntryKind.FUNCTION,
        methods=tuple(name for name in methods if not name.startswith("_")),
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _imports(text: str) -> dict[str, str]:
    """Of each name that an import at the top gives, a statement that imports it alone."""
    found: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = ast.unparse(ast.Import([alias]))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = ast.unparse(ast.ImportFrom(node.module, [alias], 0))
    return found


def _names(text: str) -> Iterator[str]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from (
                each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            )


def _tidy(text: str) -> str:
    """Its statements as they are written, imports once: what is left out has left its lines empty."""
    lines = text.split("\n")
    tidy, last, was_import = "", 0, False
    imported: set[str] = set()
    for node in ast.parse(text).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        part = "\n".join(lines[max(first - 1, last) : node.end_lineno])
        last = max(node.end_lineno or first, last)
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        if part and part not in imported:
            tidy += ("\n" if was_import and is_import else "\n\n\n") + part
            was_import = is_import
            imported |= {part} if is_import else set()
    return tidy.strip("\n") + "\n"


def names_in(nodes: Sequence[ast.AST]) -> set[str]:
    """All names that are read somewhere in these."""
    return {
        each.id
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    }
