"""Reads the data flow of a file without running it: which operation is applied to the results of which.

Names, order, layout and helper functions are gone from it: a variable is what was assigned to it, and a call of a
function of the file is that function's body.
"""

import ast
from collections import ChainMap
from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.similarity.declared import Declared, Function
from app.similarity.operations import (
    common_name,
    constant_of,
    equation_of,
    is_silent,
    is_transpose_of_last,
    name_of,
    product_of,
)
from app.similarity.steps import CodeStep, CodeSteps, Value, bounds_of, value_of

INLINED: Final = 6  # calls within calls
MODULE, NAME = value_of("module"), value_of("name")

Scope = MutableMapping[str, Value]


def steps_of(tree: ast.Module) -> list[CodeStep]:
    """Returns the steps of a file. Raises TooManySteps, RecursionError."""
    reader = _Reader(Declared(tree))
    reader.read(tree)
    return reader.steps


@dataclass
class _Frame:
    """A function while it is read."""

    scope: Scope
    returned: list[Value] = field(default_factory=list)

    def branch(self) -> "_Frame":
        """Returns a copy for one branch: what is assigned in it does not leave it."""
        return _Frame(ChainMap({}, self.scope), self.returned)


class _Reader:
    def __init__(self, declared: Declared) -> None:
        self.steps = CodeSteps()
        self._declared = declared
        self._attributes: dict[str, Value] = {}  # of the object
        self._globals: dict[str, Value] = {}
        self._closures: dict[str, Scope] = {}
        self._entered: set[Function] = set()
        self._open: list[Function] = []

    def read(self, tree: ast.Module) -> None:
        self._body(tree.body, _Frame(self._globals))
        for function in self._declared.begins():
            if function not in self._entered:
                self._enter(function, {})

    def _enter(self, function: Function, given: Scope) -> Value | None:
        """What a function of the file returns when it is given these; None where calls go round in circles."""
        if function in self._open or len(self._open) >= INLINED:
            return None
        self._entered.add(function)
        self._open.append(function)
        frame = _Frame(ChainMap({**self._parameters(function.args), **given}, self._closures.get(function.name, {})))
        self._body(function.body, frame)
        self._open.pop()
        return frame.returned[0] if len(frame.returned) == 1 else value_of("if", frame.returned)

    def _parameters(self, arguments: ast.arguments) -> dict[str, Value]:
        names = self._declared.parameters(arguments)
        return {name: value_of(f"parameter {index}") for index, name in enumerate(names)}

    # Statements

    def _body(self, body: Iterable[ast.stmt], frame: _Frame) -> None:
        for statement in body:
            self._statement(statement, frame)

    def _statement(self, node: ast.stmt, frame: _Frame) -> None:  # noqa: PLR0912 - a case for each kind
        match node:
            case ast.Assign(value=value):
                self._assign(node.targets, value, frame)
            case ast.AnnAssign(value=ast.expr() as value):
                self._assign([node.target], value, frame)
            case ast.AugAssign(target=target, op=op, value=value):
                given = (self._value(target, frame), self._value(value, frame))
                self._bind(target, self.steps.add(name_of(op), given, node), frame)
            case ast.Return(value=ast.expr() as value):
                frame.returned.append(self._value(value, frame))
            case ast.Expr(value=value) if not is_silent(value):
                self._value(value, frame)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._closures[name] = frame.scope
            case ast.ClassDef(body=body):
                self._body((each for each in body if not isinstance(each, Function)), frame.branch())
            case ast.If():
                self._branch(node, frame)
            case ast.For() | ast.AsyncFor():
                self._bind(node.target, self.steps.add("each", [self._value(node.iter, frame)], node.iter), frame)
                self._body((*node.body, *node.orelse), frame)
            case ast.While():
                self._loop(node, frame)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._assign([item.optional_vars] if item.optional_vars else [], item.context_expr, frame)
                self._body(node.body, frame)
            case ast.Try() | ast.TryStar():
                handled = [each for handler in node.handlers for each in handler.body]
                self._body((*node.body, *handled, *node.orelse, *node.finalbody), frame)
            case ast.Match():
                self._value(node.subject, frame)
                self._body((each for case in node.cases for each in case.body), frame)

    def _branch(self, node: ast.If, frame: _Frame) -> None:
        """What either side assigns is one or the other from there on, as in a conditional expression."""
        test, sides = self._value(node.test, frame), (frame.branch(), frame.branch())
        for side, body in zip(sides, (node.body, node.orelse), strict=True):
            self._body(body, side)
        for name in dict.fromkeys(name for side in sides for name in _assigned(side)):
            values = [side.scope[name] for side in sides if name in side.scope]
            frame.scope[name] = value_of("if", (test, *values)) if len(values) > 1 else values[0]

    def _loop(self, node: ast.While, frame: _Frame) -> None:
        """One that counts is `for … in range(…)`."""
        match node:
            case ast.While(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[end]),
                body=[*body, ast.AugAssign(target=ast.Name(id=counted), op=ast.Add(), value=by)],
            ) if name == counted and name in frame.scope:
                start, step = frame.scope[name], self._value(by, frame)
                bounds = bounds_of([start, self._value(end, frame), step])
                frame.scope[name] = self.steps.add("each", [self.steps.add("range", bounds, node.test)], node.test)
                self._body((*body, *node.orelse), frame)
            case _:
                self._value(node.test, frame)
                self._body((*node.body, *node.orelse), frame)

    def _assign(self, targets: Iterable[ast.expr], source: ast.expr, frame: _Frame) -> None:
        if not isinstance(source, ast.Tuple | ast.List):
            value = self._value(source, frame)
            for target in targets:
                self._bind(target, value, frame)
            return
        values = self._values(source.elts, frame)
        for target in targets:
            if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(values):
                for each, value in zip(target.elts, values, strict=True):
                    self._bind(each, value, frame)
            else:
                self._bind(target, value_of("tuple", values), frame)

    def _bind(self, target: ast.expr, value: Value, frame: _Frame) -> None:
        match target:
            case ast.Name(id=name):
                frame.scope[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for index, each in enumerate(targets):
                    self._bind(each, value_of(f"part {index}", (value,)), frame)
            case ast.Starred(value=inner):
                self._bind(inner, value, frame)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in self._declared.selves:
                self._attributes[name] = value
            case ast.Subscript(value=ast.Name(id=name) as stored, slice=place):
                given = (self._value(stored, frame), self._value(place, frame), value)
                frame.scope[name] = self.steps.add("store", given, target)

    # Expressions

    def _values(self, nodes: Iterable[ast.expr], frame: _Frame) -> list[Value]:
        return [self._value(each, frame) for each in nodes]

    def _value(self, node: ast.expr, frame: _Frame) -> Value:  # noqa: PLR0912 - a case for each kind
        match node:
            case ast.Constant(value=value):
                return value_of(f"constant {constant_of(value)}")
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return value_of(f"constant {constant_of(-number)}")
            case ast.Name(id=name):
                return self._named(name, frame)
            case ast.Call():
                return self._call(node, frame)
            case ast.Attribute():
                return self._attribute(node, frame)
            case ast.BinOp(left=left, op=op, right=right):
                return self.steps.add(name_of(op), self._values((left, right), frame), node)
            case ast.UnaryOp(op=op, operand=operand):
                return self.steps.add(name_of(op), [self._value(operand, frame)], node)
            case ast.BoolOp(op=op, values=values):
                return self.steps.add(name_of(op), self._values(values, frame), node)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.steps.add(" ".join(map(name_of, ops)), self._values((left, *others), frame), node)
            case ast.Subscript(value=inner, slice=place):
                return self.steps.add("item", self._values((inner, place), frame), node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return value_of("if", self._values((test, yes, no), frame))
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return value_of("tuple", self._values(elements, frame))
            case ast.NamedExpr(target=target, value=inner):
                self._assign([target], inner, frame)
                return self._value(target, frame)
            case ast.Lambda(args=arguments, body=body):
                return self._value(body, _Frame(ChainMap(self._parameters(arguments), frame.scope)))
            case ast.ListComp(elt=inner) | ast.SetComp(elt=inner) | ast.GeneratorExp(elt=inner):
                return self._gather([inner], node.generators, frame)
            case ast.DictComp(key=key, value=inner):
                return self._gather([key, inner], node.generators, frame)
            case ast.Starred(value=inner):
                return self._value(inner, frame)
            case _:
                children = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
                return value_of(type(node).__name__, self._values(children, frame))

    def _named(self, name: str, frame: _Frame) -> Value:
        for known in (frame.scope, self._globals):
            if name in known:
                return known[name]
        declared = self._declared
        if name in declared.by_name or name in declared.classes:
            return value_of("function")
        if name in declared.modules:
            return MODULE
        return value_of(f"name {declared.imported.get(name, name)}") if declared.is_known(name) else NAME

    def _attribute(self, node: ast.Attribute, frame: _Frame) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id in self._declared.selves:
            return self._attributes.get(node.attr, NAME)
        value = self._value(node.value, frame)
        if value == MODULE:
            return MODULE if node.attr in ("nn", "functional") else value_of(f"name {node.attr}")
        return self.steps.add(common_name(node.attr), [value], node)

    def _call(self, node: ast.Call, frame: _Frame) -> Value:
        given = self._values((*node.args, *(each.value for each in node.keywords)), frame)
        own = self._declared.function_called(node.func)
        if own is not None:
            return self._enter(own, self._bound(own, node, given)) or value_of("function", given)
        match node.func:
            case ast.Name(id=name) if name in self._declared.classes:
                return self.steps.add("function", given, node)
            case ast.Name(id=name) if name not in frame.scope and self._declared.is_known(name):
                return self._operation(self._declared.imported.get(name, name), given, node)
            case ast.Attribute(value=ast.Name(id=name)) if name in self._declared.selves:
                return self.steps.add("call", [self._attribute(node.func, frame), *given], node)
            case ast.Attribute(value=inner, attr=name):
                receiver = self._value(inner, frame)
                return self._operation(name, given if receiver == MODULE else [receiver, *given], node)
            case _:
                return self.steps.add("call", [self._value(node.func, frame), *given], node)

    def _operation(self, name: str, given: Sequence[Value], node: ast.Call) -> Value:
        """A function of the libraries, or a method of a tensor: which of the two it is makes no difference."""
        operation = common_name(name)
        match operation, node.args:
            case "einsum", [ast.Constant(value=str(equation)), _, _] if product_of(equation):
                left, right = given[-2:]
                if product_of(equation) == "transposed":
                    right = self.steps.add("transpose last two", [right], node)
                return self.steps.add("matmul", [left, right], node)
            case "einsum", [ast.Constant(value=str(equation)), *_]:
                return self.steps.add(f"einsum {equation_of(equation)}", given[-len(node.args) + 1 :], node)
            case "transpose", [*_, _, _] if is_transpose_of_last(node.args):
                return self.steps.add("transpose last two", given[:1], node)
            case "range", _:
                return self.steps.add("range", bounds_of(given), node)
            case _:
                return self.steps.add(operation, given, node)

    def _bound(self, function: Function, call: ast.Call, given: Sequence[Value]) -> Scope:
        """Which parameter gets which value, as far as the call says it plainly."""
        count = len(call.args)
        by_place = zip(self._declared.parameters(function.args), given[:count], strict=False)
        by_name = zip((each.arg or "" for each in call.keywords), given[count:], strict=True)
        return dict(by_place) | dict(by_name)

    def _gather(self, elements: Sequence[ast.expr], loops: Sequence[ast.comprehension], frame: _Frame) -> Value:
        inner = frame.branch()
        for loop in loops:
            self._bind(loop.target, self.steps.add("each", [self._value(loop.iter, inner)], loop.iter), inner)
        tests = (test for loop in loops for test in loop.ifs)
        return value_of("tuple", self._values((*elements, *tests), inner))


def _assigned(frame: _Frame) -> Iterable[str]:
    """The names that were assigned in a branch."""
    return frame.scope.maps[0] if isinstance(frame.scope, ChainMap) else ()
