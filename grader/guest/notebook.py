"""What of a notebook becomes a module: definitions, and what they need. Standard library only, nothing secret.

A notebook tries things out between its definitions: it prints, plots, trains. Run with every import, that would fail or
never end, and say nothing of the answer.
"""

import ast
import symtable
from collections.abc import Iterator, Mapping, Set

from grader.guest.submission import Submission

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Bound = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Import | ast.ImportFrom | ast.If | ast.Try | ast.With
ANONYMOUS = ("lambda", "listcomp", "setcomp", "dictcomp", "genexpr")


def module_files(submission: Submission) -> Mapping[str, bytes]:
    """The files as they are read and imported, line for line where they were sent."""
    if not submission.is_notebook:
        return submission.files
    return {**submission.files, submission.main: definitions_only(submission.source)}


def definitions_only(source: bytes) -> bytes:
    """The source with blank lines where nothing is defined that a definition needs. What Python cannot read stays."""
    try:
        text = source.decode()
        tree = ast.parse(text)
        needed = _needed(tree, symtable.symtable(text, "notebook", "exec"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    lines = text.split("\n")
    kept = [number for node in needed for number in range(_first_line(node), (node.end_lineno or node.lineno) + 1)]
    stays = set(kept)
    return "\n".join(line if number in stays else "" for number, line in enumerate(lines, start=1)).encode()


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _needed(tree: ast.Module, names: symtable.SymbolTable) -> list[ast.stmt]:
    """The definitions, and whatever binds a name that one of those kept looks up when it is made or called."""
    binding: dict[str, list[ast.stmt]] = {}
    kept: dict[ast.stmt, None] = {}
    waiting: list[str] = [*_looked_up(names)]
    made = {node.name for node in tree.body if isinstance(node, Definition)}
    for node in tree.body:
        if isinstance(node, Definition):
            kept[node] = None
            waiting.extend(_names_of(*_evaluated(node)))
        elif _changes_a_definition(node, made):
            kept[node] = None
            waiting.extend(_names_of(node))
        elif isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == "*"):
            kept[node] = None
        elif isinstance(node, Bound):
            for name in _bound(node):
                binding.setdefault(name, []).append(node)
    while waiting:
        for node in binding.pop(waiting.pop(), ()):
            if node not in kept:
                kept[node] = None
                waiting.extend(_names_of(node))
    return list(kept)


def _changes_a_definition(node: ast.stmt, made: Set[str]) -> bool:
    """`Attention.forward = forward`, as a class grows over several cells."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.value.id in made for t in targets)


def _looked_up(module: symtable.SymbolTable) -> Iterator[str]:
    """Global names that the bodies of functions and classes use."""
    waiting = [table for table in module.get_children() if table.get_name() not in ANONYMOUS]
    while waiting:
        table = waiting.pop()
        yield from (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
        waiting.extend(table.get_children())


def _evaluated(node: Definition) -> Iterator[ast.AST]:
    """What is evaluated when it is made."""
    yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords
    else:
        yield node.args
        if node.returns is not None:
            yield node.returns


def _names_of(*nodes: ast.AST) -> Iterator[str]:
    for node in nodes:
        yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _bound(node: Bound) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.partition(".")[0]
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case _:
                pass
