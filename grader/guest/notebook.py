"""What of a notebook becomes a module: definitions, and what they need. Standard library only, nothing secret.

A notebook tries things out between its definitions: it prints, plots, trains. Run with every import, that would fail or
never end, and say nothing of the answer.
"""

import ast
import builtins
import symtable
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from grader.guest.submission import Submission

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Import = ast.Import | ast.ImportFrom
Bound = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.If | ast.Try | ast.With | Import | Definition
Loop = ast.For | ast.While


def module_files(submission: Submission) -> Mapping[str, bytes]:
    """The files as they are read and imported, line for line where they were sent."""
    if not submission.is_notebook:
        return submission.files
    return {**submission.files, submission.main: definitions_only(submission.source, submission.wanted)}


def definitions_only(source: bytes, wanted: Iterable[str]) -> bytes:
    """The source with blank lines where nothing stands that the wanted names need. What Python cannot read stays."""
    try:
        text = source.decode()
        tree = ast.parse(text)
        needed = _Cells(tree, symtable.symtable(text, "notebook", "exec")).needed(list(wanted))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    lines = text.split("\n")
    stays: set[int] = set()
    for first, last, nodes in _blocks(tree):
        if not needed.isdisjoint(nodes):
            stays.update(range(first, last + 1))
    return "\n".join(line if number in stays else "" for number, line in enumerate(lines, start=1)).encode()


def _blocks(tree: ast.Module) -> Iterator[tuple[int, int, list[ast.stmt]]]:
    """First and last lines, with the statement on them, or several that share a line: `a = 1; b = 2`."""
    first, last = 1, 0
    nodes: list[ast.stmt] = []
    for node in tree.body:
        if nodes and _first_line(node) > last:
            yield first, last, nodes
            nodes = []
        first = first if nodes else _first_line(node)
        last = node.end_lineno or node.lineno
        nodes.append(node)
    if nodes:
        yield first, last, nodes


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


class _Cells:
    """Which statement of a notebook gives, or changes, what stands behind which name."""

    def __init__(self, tree: ast.Module, names: symtable.SymbolTable) -> None:
        self._definitions = [node for node in tree.body if isinstance(node, Definition)]
        self._tables = {(table.get_name(), table.get_lineno()): table for table in names.get_children()}
        self._always = [node for node in tree.body if _is_for_all(node)]
        self._makers: dict[str, list[ast.stmt]] = defaultdict(list)
        self._loops: dict[str, list[ast.stmt]] = defaultdict(list)
        imported = {name for node in tree.body if isinstance(node, Import) for name in _bound(node)}
        for node in tree.body:
            for name in _bound(node):
                (self._loops if isinstance(node, Loop) else self._makers)[name].append(node)
            for name in _changed(node) - imported:
                self._makers[name].append(node)

    def needed(self, wanted: list[str]) -> set[ast.stmt]:
        """What the wanted names need; with all definitions where a name is given nowhere: any of them may be meant."""
        kept, is_whole = self._reached(wanted)
        if not is_whole or not wanted:
            kept, _ = self._reached([*wanted, *(node.name for node in self._definitions)])
        return kept.union(self._always)

    def _reached(self, wanted: list[str]) -> tuple[set[ast.stmt], bool]:
        """A loop, which may be long, counts only for a name that nothing else gives."""
        kept: set[ast.stmt] = set()
        seen: set[str] = set()
        looked_up = set(wanted)
        waiting = list(wanted)
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for node in self._makers[name] if name in self._makers else self._loops.get(name, ()):
                if node not in kept:
                    kept.add(node)
                    names = list(self._looked_up(node))
                    looked_up.update(names if isinstance(node, Definition) else ())
                    waiting.extend(names)
        given = {*self._makers, *self._loops, *dir(builtins), *MODULE_NAMES}
        return kept, looked_up <= given

    def _looked_up(self, node: ast.stmt) -> Iterator[str]:
        """Names of the module that it uses, when it is run or called."""
        if isinstance(node, Loop):
            yield from {*_names_of(node)} - _bound(node)
            return
        if not isinstance(node, Definition):
            yield from _names_of(node)
            return
        yield from _names_of(*_evaluated(node))
        waiting = [table for table in [self._tables.get((node.name, node.lineno))] if table is not None]
        while waiting:
            table = waiting.pop()
            yield from (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
            waiting.extend(table.get_children())


MODULE_NAMES = ("__name__", "__file__", "__doc__", "__builtins__")


def _is_for_all(node: ast.stmt) -> bool:
    """Whether every other line may need it."""
    return isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == "*")


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


def _bound(node: ast.stmt) -> set[str]:
    """Names that it gives."""
    if isinstance(node, Definition):
        return {node.name}
    return set(_given(node)) if isinstance(node, Bound | Loop) else set()


def _given(node: ast.stmt) -> Iterator[str]:
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


def _changed(node: ast.stmt) -> set[str]:
    """Names of what it changes: `Net.forward = f`, `TABLE["a"] = 1`, `TABLE.append(1)`, `@add_to(Net)`."""
    match node:
        case ast.Assign(targets=targets):
            roots = [_root(target) for target in targets]
        case ast.AugAssign(target=target):
            roots = [_root(target)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))):
            roots = [_root(value)]
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            roots = [*_names_of(*decorators)]
        case _:
            roots = []
    return {root for root in roots if root is not None}


def _root(node: ast.AST) -> str | None:
    """The name that `name.a[0].b` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
