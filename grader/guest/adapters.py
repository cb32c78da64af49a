"""Where an adapter copies the weights that it was given into a module, so that no gradient reaches them; and the patch
that lets the module use them instead.

Standard library only, nothing secret. It explains a gradient that was seen to be missing, and is never a verdict.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.guest.callgraph import CallGraph
from grader.guest.inspection import SourceRules, WeightCopy, place_in
from grader.guest.patches import Edit, unified

COPIES = ("clone", "detach", "requires_grad_", "contiguous", "data")  # of what nothing is left but the value
CALL = "torch.func.functional_call"


def weight_copies(
    graph: CallGraph, main: str, trees: Mapping[str, ast.Module], sources: Mapping[str, bytes], rules: SourceRules
) -> Iterator[WeightCopy]:
    """One for each module that a function within reach of the main entry point copies into."""
    for name in sorted(graph.reachable_from(rules.main)):
        for path, body in graph.bodies[name]:
            if isinstance(body, ast.FunctionDef):
                yield from _in_function(body, path, main, trees[path], sources[path])


@dataclass(frozen=True)
class _Copy:
    """A statement after which `parameter` of `module` holds what `value` holds; no parameter: all that it names."""

    module: str
    parameter: str
    value: ast.expr
    way: str
    statement: ast.stmt


def _in_function(
    function: ast.FunctionDef, path: str, main: str, tree: ast.Module, source: bytes
) -> Iterator[WeightCopy]:
    copies: dict[str, list[_Copy]] = {}
    given = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    for statement in ast.walk(function):
        copy = _copy_of(statement, given) if isinstance(statement, ast.stmt) else None
        if copy is not None:
            copies.setdefault(copy.module, []).append(copy)
    for module, found in copies.items():
        found.sort(key=lambda copy: copy.statement.lineno)
        # Patches for several modules would change the same lines.
        patch = _Patch(function, tree, path, source, module, found).text() if len(copies) == 1 else None
        yield WeightCopy(place_in(path, found[0].statement.lineno, main), found[0].way, module, patch)


def _copy_of(statement: ast.stmt, given: set[str]) -> _Copy | None:
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(module), "load_state_dict"), [value, *_])):
            return _Copy(module, "", value, "load_state_dict", statement) if module != "self" else None
        case ast.Expr(ast.Call(ast.Attribute(target, "copy_"), [value, *_])):
            way = "copy_"
        case ast.Assign([ast.Attribute(target, "data")], value):
            way = ".data"
        case ast.Assign([ast.Attribute() as target], ast.Call(args=[value, *_]) as call) if _is_parameter(call):
            way = "nn.Parameter"
        case _:
            return None
    named = _parameter_of(target)
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    if named is None or named[0] == "self" or not names & given:
        return None
    return _Copy(*named, value, way, statement)


def _is_parameter(call: ast.Call) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] == "Parameter"


def _parameter_of(target: ast.expr) -> tuple[str, str] | None:
    """`mha.layers[0].weight.data` is the parameter `layers.0.weight` of `mha`."""
    parts: list[str] = []
    while not isinstance(target, ast.Name):
        match target:
            case ast.Attribute(inner, name):
                parts.append(name)
            case ast.Subscript(inner, ast.Constant(int(index))):
                parts.append(str(index))
            case _:
                return None
        target = inner
    if parts[:1] == ["data"]:
        del parts[0]
    return (target.id, ".".join(reversed(parts))) if parts else None


class _Unclear(Exception):
    """The code is written in a way that no patch is made for."""


@dataclass(frozen=True)
class _Patch:
    """Lets `functional_call` use the given weights in the calls of one module, instead of copying them into it."""

    function: ast.FunctionDef
    tree: ast.Module
    path: str
    source: bytes
    module: str
    copies: Sequence[_Copy]

    def text(self) -> str | None:
        try:
            edits = [*self._instead_of_copies(), *self._calls(), *self._import()]
            return unified(self.path, self.source, edits)
        except _Unclear:
            return None

    def _instead_of_copies(self) -> Iterator[Edit]:
        blocks = list(self._blocks())
        first, *others = self._removed(blocks)
        name = self._given_name
        lines = [] if name is not None else [f"{' ' * first[2]}{line}" for line in self._weights()]
        yield Edit(first[0], first[1], tuple(lines))
        yield from (Edit(start, end, ()) for start, end, _ in others)

    def _blocks(self) -> Iterator[tuple[ast.With | None, list[ast.stmt]]]:
        """The function's own statements, and those of its `with` blocks."""
        yield None, self.function.body
        for statement in self.function.body:
            if isinstance(statement, ast.With):
                yield statement, statement.body

    def _removed(self, blocks: Sequence[tuple[ast.With | None, list[ast.stmt]]]) -> list[tuple[int, int, int]]:
        """First line, last line and indentation of what goes: copies, and a `with` that holds nothing else."""
        copying = {copy.statement for copy in self.copies}
        removed: dict[tuple[int, int, int], None] = {}
        for around, body in blocks:
            here = [statement for statement in body if statement in copying]
            copying -= set(here)
            if around is not None and here and len(here) == len(body):
                removed[_lines(around)] = None
            elif here and around is not None:
                raise _Unclear
            else:
                removed |= dict.fromkeys(map(_lines, here))
        if copying or not removed:
            raise _Unclear
        return sorted(removed)

    @cached_property
    def _given_name(self) -> str | None:
        """What the weights are called already, where they are loaded from a dictionary that has a name."""
        match self.copies:
            case [_Copy(parameter="", value=ast.Name(name))]:
                return name
            case _:
                return None

    @cached_property
    def _name(self) -> str:
        taken = {node.id for node in ast.walk(self.function) if isinstance(node, ast.Name)}
        wanted = next((name for name in ("weights", f"{self.module}_weights", "given") if name not in taken), None)
        if wanted is None:
            raise _Unclear
        return wanted

    def _weights(self) -> Iterator[str]:
        if [copy.parameter for copy in self.copies] == [""]:
            yield from self._loaded(self.copies[0].value)
            return
        if not all(copy.parameter for copy in self.copies):
            raise _Unclear
        yield f"{self._name} = {{"
        yield from (f'    "{copy.parameter}": {self._value(copy.value)},' for copy in self.copies)
        yield "}"

    def _loaded(self, given: ast.expr) -> Iterator[str]:
        match given:
            case ast.Dict(keys, values) if keys and None not in keys:
                yield f"{self._name} = {{"
                for key, value in zip(keys, values, strict=True):
                    assert key is not None
                    yield f"    {self._text(key)}: {self._value(value)},"
                yield "}"
            case ast.DictComp() | ast.Call(ast.Name()):
                yield f"{self._name} = {self._text(given)}"
            case _:
                raise _Unclear

    def _value(self, value: ast.expr) -> str:
        """Without what would cut it off."""
        while True:
            match value:
                case ast.Call(ast.Attribute(inner, name)) | ast.Attribute(inner, name) if name in COPIES:
                    value = inner
                case ast.Call(args=[inner, *_]) if _is_parameter(value):
                    value = inner
                case _:
                    return self._text(value)

    def _text(self, node: ast.expr) -> str:
        """As the student wrote it, where it stands on one line."""
        if node.lineno != node.end_lineno:
            return ast.unparse(node)
        written = self._source_lines[node.lineno - 1][node.col_offset : node.end_col_offset]
        return written.decode("utf-8", "replace")

    @cached_property
    def _source_lines(self) -> list[bytes]:
        return self.source.split(b"\n")

    def _calls(self) -> Iterator[Edit]:
        found = [node for node in ast.walk(self.function) if isinstance(node, ast.Call) and self._runs(node)]
        if not found:
            raise _Unclear
        lines = self._source_lines
        for call in found:
            assert call.end_lineno is not None
            assert call.end_col_offset is not None
            before = lines[call.lineno - 1][: call.col_offset]
            after = lines[call.end_lineno - 1][call.end_col_offset :]
            text = (before + self._functional(call).encode() + after).decode("utf-8", "replace")
            yield Edit(call.lineno, call.end_lineno, tuple(text.split("\n")))

    def _runs(self, call: ast.Call) -> bool:
        match call.func:
            case ast.Name(name) | ast.Attribute(ast.Name(name), "forward"):
                return name == self.module
            case _:
                return False

    def _functional(self, call: ast.Call) -> str:
        positional = ", ".join(map(self._text, call.args))
        arguments = f"({positional},)" if len(call.args) == 1 else f"({positional})"
        named = ", ".join(
            f'"{keyword.arg}": {self._text(keyword.value)}' if keyword.arg else f"**{self._text(keyword.value)}"
            for keyword in call.keywords
        )
        more = f", {{{named}}}" if named else ""
        return f"{self._functional_call}({self.module}, {self._given_name or self._name}, {arguments}{more})"

    @cached_property
    def _has_torch(self) -> bool:
        imports = [node for node in self.tree.body if isinstance(node, ast.Import)]
        return any(alias.name == "torch" and alias.asname is None for node in imports for alias in node.names)

    @cached_property
    def _functional_call(self) -> str:
        return CALL if self._has_torch else CALL.rpartition(".")[2]

    def _import(self) -> Iterator[Edit]:
        if self._has_torch:
            return
        module, _, name = CALL.rpartition(".")
        imports = [node for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        after = next((node for node in reversed(imports) if node.lineno < self.function.lineno), None)
        if after is None or after.end_lineno is None:
            raise _Unclear
        yield Edit(after.end_lineno + 1, after.end_lineno, (f"from {module} import {name}",))


def _lines(statement: ast.stmt) -> tuple[int, int, int]:
    return statement.lineno, statement.end_lineno or statement.lineno, statement.col_offset
