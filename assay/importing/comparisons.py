"""Which tests compare a call of an entry point with a value, or ask it for an exception. Those become cases.

The value itself is dropped: what is right is what the solution gives, which must have passed the test as it stands.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assay.importing.module import Module, names_in
from assay.importing.plain import BUILTINS, NotPlainError, Plain, is_seed
from grader.guest.inspection import EntryKind
from grader.manifest import EntryPointSection

EPSILON: Final = 2.0**-23  # float32's, in which docs/tolerance.md counts
LEAST_GROWTH: Final = 64.0  # roundings: a test that compares exactly would fail answers that round otherwise
# Relative and absolute tolerance, where a test does not say them.
DEFAULTS: Final = {
    "allclose": (1e-5, 1e-8),
    "isclose": (1e-5, 1e-8),
    "assert_allclose": (1e-7, 0.0),
    "assert_close": (1.3e-6, 1e-5),
    "equal": (0.0, 0.0),
    "array_equal": (0.0, 0.0),
    "assert_array_equal": (0.0, 0.0),
    "assert_equal": (0.0, 0.0),
}
MOST_DIGITS: Final = 30  # of a result that is rounded
LARGEST: Final = 1e30  # tolerance
RELATIVE, ABSOLUTE = ("rtol", "rel_tol", "rel"), ("atol", "abs_tol", "abs")
RESERVED: Final = frozenset(("draw", "torch", "math", "Call", "Case", "Draw", "Gives", "Iterator", "StructureCall"))
UNWRAPPED: Final = frozenset(("tolist", "item", "numpy", "detach"))


class NotComparedError(ValueError):
    """Why a test is no plain comparison, in half a sentence."""


@dataclass(frozen=True)
class Compared:
    """A case's code: the entry point, its arguments, and how far off it may be."""

    title: str
    function: str
    arguments: Mapping[str, str]
    growth: float = LEAST_GROWTH
    scale: float = 0.0
    raises: tuple[str, ...] = ()
    hint: str = ""


@dataclass
class Comparisons:
    """What becomes of one test: statements that set values up, and cases, in their order."""

    steps: list[str | Compared] = field(default_factory=list)

    @property
    def cases(self) -> list[Compared]:
        """The cases alone."""
        return [step for step in self.steps if isinstance(step, Compared)]


def comparisons_in(source: str, module: Module) -> Comparisons:
    """Turns a test into cases. Raises NotComparedError."""
    reader = _Reader(module)
    try:
        for statement in ast.parse(source).body:
            reader.read(statement)
    except NotPlainError as error:
        raise NotComparedError(str(error)) from error
    if not reader.found.cases:
        raise NotComparedError("it compares nothing")
    if reader.unused:
        raise NotComparedError(f"it calls `{reader.unused.pop()}` and looks at something else than the result")
    return reader.found


class _Reader:
    """Reads a test statement by statement."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._imports = dict(module.imports)
        self._values: set[str] = set()
        self._beside: set[str] = set()  # values that only a right answer is compared with
        self._results: dict[str, ast.Call] = {}
        self.unused: set[str] = set()
        self.found = Comparisons()

    def read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return
            case ast.Import(names) if all(alias.name in ("torch", "numpy", "math") for alias in names):
                self._imports |= {alias.asname or alias.name: f"import {alias.name}" for alias in names}
                self.found.steps.append(ast.unparse(statement))
            case ast.Assign(targets=[ast.Name(name)], value=value):
                self._assign(name, value)
            case ast.Assign(targets=[ast.Tuple(names)], value=ast.Tuple(values)) if len(names) == len(values):
                self._assign_all([ast.unparse(name) for name in names], values)
            case ast.Assert(test=test, msg=message):
                self._compare(test, message.value if isinstance(message, ast.Constant) else "")
            case ast.Expr(ast.Call() as call) if ast.unparse(call.func).rpartition(".")[2].startswith("assert_"):
                self._compare(call, "")
            case ast.With(items=[ast.withitem(ast.Call(func, [error, *_]))], body=[ast.Expr(ast.Call() as call)]):
                if not ast.unparse(func).endswith("raises"):
                    raise NotComparedError(f"`with {_short(func)}` is no comparison")
                self._refuse(call, error)
            case ast.Try(
                body=[ast.Expr(ast.Call() as call)], handlers=[ast.ExceptHandler(type=ast.expr() as error)]
            ) if _only_raises(statement):
                self._refuse(call, error)
            case _ if is_seed(statement, self._imports):
                return
            case _:
                raise NotComparedError(f"`{_short(statement)}` is no comparison of a call with a value")

    def _assign(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Call) and self._entry_of(value) is not None:
            self._forget(name)
            self._results[name] = value
            self.unused.add(name)
            return
        try:
            code = self._plain.code(value)
        except NotPlainError:
            if names_in([value]) & self._module.defined or names_in([value]) & self._results.keys():
                raise
            self._forget(name)
            self._beside.add(name)
            return
        self._forget(name)
        self.found.steps.append(f"{name} = {code}")
        self._values.add(name)

    def _assign_all(self, names: Sequence[str], values: Sequence[ast.expr]) -> None:
        code = ", ".join(self._plain.code(value) for value in values)
        for name in names:
            self._forget(name)
        self.found.steps.append(f"{', '.join(names)} = {code}")
        self._values |= set(names)

    def _forget(self, name: str) -> None:
        """It is given another value now."""
        if name in RESERVED or not name.isidentifier():
            raise NotComparedError(f"`{name}` is what cases.py calls something else")
        self._results.pop(name, None)
        self._values.discard(name)
        self._beside.discard(name)

    def _compare(self, test: ast.expr, hint: object) -> None:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for each in test.values:
                self._compare(each, hint)
            return
        one, other, relative, absolute = self._sides(test)
        call, rounding = self._call_in(one)
        if call is None:
            one, other = other, one
            call, rounding = self._call_in(one)
        if call is None:
            raise NotComparedError(f"`{_short(test)}` is no comparison of a call with a value")
        second, also = self._call_in(other)
        strange = names_in([other]) - self._values - self._beside - self._imports.keys() - BUILTINS
        if second is None and strange:
            raise NotComparedError(f"`{_short(test)}` compares with `{sorted(strange)[0]}`, which is no plain value")
        for one_call in (call, second):
            if one_call is not None:
                self._add(one_call, relative, max(absolute, rounding, also), hint if isinstance(hint, str) else "")

    def _sides(self, test: ast.expr) -> tuple[ast.expr, ast.expr, float, float]:
        """Both sides, and the relative and absolute tolerance."""
        match test:
            case ast.Compare(one, [ast.Eq() | ast.Is()], [other]):
                return one, other, 0.0, 0.0
            case ast.Compare(
                ast.Call(ast.Name("abs"), [ast.BinOp(one, ast.Sub(), other)]), [ast.Lt() | ast.LtE()], [bound]
            ):
                return one, other, 0.0, _number(bound)
            case ast.Call(ast.Attribute(ast.Compare() as inner, "all"), []):
                return self._sides(inner)
            case ast.Call(function, [ast.Compare() as inner]) if ast.unparse(function).rpartition(".")[2] == "all":
                return self._sides(inner)
            case ast.Call(function, [one, other], keywords):
                name = ast.unparse(function).rpartition(".")[2]
                if name in DEFAULTS:
                    relative, absolute = (1e-9, 0.0) if ast.unparse(function) == "math.isclose" else DEFAULTS[name]
                    said = {one.arg: one.value for one in keywords if one.arg}
                    return one, other, _said(said, RELATIVE, relative), _said(said, ABSOLUTE, absolute)
            case _:
                pass
        raise NotComparedError(f"`{_short(test)}` is no comparison of a call with a value")

    def _call_in(self, node: ast.expr) -> tuple[ast.Call | None, float]:
        """The call of an entry point, and by how much its result was rounded: in `repr`, in `round(..., 4)`."""
        match node:
            case ast.Name(name) if name in self._results:
                self.unused.discard(name)
                return self._results[name], 0.0
            case ast.Call(ast.Name("round"), [inner, ast.Constant(int(digits))]) if abs(digits) <= MOST_DIGITS:
                return self._call_in(inner)[0], 0.5 * 10.0**-digits
            case ast.Call(ast.Name("repr" | "str"), [inner]):
                return self._call_in(inner)[0], 0.5e-4  # what torch prints; numpy prints more
            case ast.Call(ast.Attribute(inner, name), []) if name in UNWRAPPED:
                return self._call_in(inner)
            case ast.Call() if self._entry_of(node) is not None:
                return node, 0.0
            case _:
                return None, 0.0

    def _entry_of(self, call: ast.Call) -> EntryPointSection | None:
        entry = self._module.entries.get(call.func.id) if isinstance(call.func, ast.Name) else None
        return entry if entry is not None and entry.kind is EntryKind.FUNCTION else None

    def _refuse(self, call: ast.Call, error: ast.expr) -> None:
        names = error.elts if isinstance(error, ast.Tuple) else [error]
        if self._entry_of(call) is None or not all(isinstance(name, ast.Name) for name in names):
            raise NotComparedError(f"`{_short(call)}` is no call of a function that students write")
        raises = tuple(name.id for name in names if isinstance(name, ast.Name))
        self.found.steps.append(Compared(_short(call), ast.unparse(call.func), self._arguments(call), raises=raises))

    def _add(self, call: ast.Call, relative: float, absolute: float, hint: str) -> None:
        growth = max(math.ceil(relative / EPSILON), LEAST_GROWTH)
        scale = absolute / (EPSILON * growth)
        function = ast.unparse(call.func)
        self.found.steps.append(Compared(_short(call), function, self._arguments(call), growth, scale, hint=hint))

    def _arguments(self, call: ast.Call) -> dict[str, str]:
        """By the names of the signature."""
        entry = self._module.entries[ast.unparse(call.func)]
        if len(call.args) > len(entry.parameters) or any(isinstance(one, ast.Starred) for one in call.args):
            raise NotComparedError(f"`{_short(call)}` does not fit the signature of `{entry.name}`")
        given = dict(zip(entry.parameters, call.args, strict=False))
        given |= {one.arg: one.value for one in call.keywords if one.arg}
        names = (*entry.parameters, *entry.keywords)
        if len(given) < len(call.args) + len(call.keywords) or not given.keys() <= {*names}:
            raise NotComparedError(f"`{_short(call)}` does not fit the signature of `{entry.name}`")
        return {name: self._plain.code(given[name]) for name in names if name in given}

    @property
    def _plain(self) -> Plain:
        return Plain(self._values, self._imports)


def _only_raises(node: ast.Try) -> bool:
    """`try: call except X: pass else: raise`, which asks for the exception."""
    passes = all(isinstance(inner, ast.Pass) for inner in node.handlers[0].body)
    return passes and not node.finalbody and any(isinstance(inner, ast.Raise | ast.Assert) for inner in node.orelse)


def _said(given: Mapping[str, ast.expr], names: tuple[str, ...], otherwise: float) -> float:
    said = next((given[name] for name in names if name in given), None)
    return otherwise if said is None else _number(said)


def _number(node: ast.expr) -> float:
    """A tolerance. Raises NotComparedError."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, power = _number(node.left), ast.unparse(node.right)
        is_small = base >= 1 and power in ("-3", "-4", "-5", "-6", "-7", "-8")
        return base ** float(power) if is_small else _refused(node)
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LARGEST:
        return float(value)
    return _refused(node)


def _refused(node: ast.expr) -> float:
    raise NotComparedError(f"its tolerance `{_short(node)}` is no number")


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
