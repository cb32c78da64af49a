"""Mutation operators: what may be changed at one place of a program, and into what; slips that a test has to notice.

Standard library only.
"""

import ast
import copy
import itertools
from collections.abc import Callable, Iterator, Sequence

from grader.proof.scope import Scope, is_self

OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Div),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
ORDERED = (ast.Sub, ast.Div, ast.Pow, ast.MatMult, ast.FloorDiv, ast.Mod)
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# Names that a hand takes for each other; both ways.
NEIGHBOURS = (
    ("cos", "sin"),
    ("sum", "mean"),
    ("amax", "amin"),
    ("max", "min"),
    ("stack", "cat"),
    ("tril", "triu"),
    ("zeros", "ones"),
    ("sqrt", "square"),
    ("sqrt", "rsqrt"),
    ("exp", "log"),
    ("softmax", "log_softmax"),
    ("reshape", "expand"),
    ("real", "imag"),
    ("float32", "float64"),
    ("double", "float"),
    ("repeat", "repeat_interleave"),
)
VIEWS = ("mT", "T", "mH", "H")  # attributes that give the same tensor otherwise


def is_left_alone(parent: ast.AST, field: str, child: ast.AST) -> bool:
    """Whether no call can show a change here: in annotations, texts, what an exception says, and targets of
    assignments.
    """
    if field in ("annotation", "returns", "decorator_list", "bases", "type_params", "ctx", "targets", "target"):
        return True
    if isinstance(parent, ast.Raise) or isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    return isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)


def alternatives(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Everything that could stand here instead. Never `node` itself; two may amount to the same code."""
    for alter in _ALTER.get(type(node), ()):
        yield from alter(node, scope)


def _constant(node: ast.AST, _: Scope) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(value=bool() as truth):
            yield ast.Constant(not truth)
        case ast.Constant(value=int() | float() as value):
            yield from _numbers(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            yield from _numbers(-value)


def _numbers(value: float) -> Iterator[ast.AST]:
    for other in dict.fromkeys((value + 1, value - 1, 2 * value, type(value)(0), -value)):
        if other != value:
            number = ast.Constant(abs(other))
            yield ast.UnaryOp(ast.USub(), number) if other < 0 else number


def _without_sign(node: ast.UnaryOp, _: Scope) -> Iterator[ast.AST]:
    if not isinstance(node.operand, ast.Constant):
        yield node.operand


def _operator(node: ast.BinOp, _: Scope) -> Iterator[ast.AST]:
    for other in OPERATORS.get(type(node.op), ()):
        yield ast.BinOp(node.left, other(), node.right)
    if isinstance(node.op, ORDERED):
        yield ast.BinOp(node.right, node.op, node.left)
    yield node.left
    yield node.right


def _updating(node: ast.AugAssign, _: Scope) -> Iterator[ast.AST]:
    for other in OPERATORS.get(type(node.op), ()):
        yield ast.AugAssign(node.target, other(), node.value)


def _comparison(node: ast.Compare, _: Scope) -> Iterator[ast.AST]:
    for other in COMPARISONS[type(node.ops[0])]:
        yield ast.Compare(node.left, [other(), *node.ops[1:]], node.comparators)


def _junction(node: ast.BoolOp, _: Scope) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    yield from node.values


def _choice(node: ast.IfExp, _: Scope) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse


def _condition(node: ast.If, _: Scope) -> Iterator[ast.AST]:
    for truth in (True, False):
        yield ast.If(ast.Constant(truth), node.body, node.orelse)


def _variable(node: ast.Name, scope: Scope) -> Iterator[ast.AST]:
    for other in scope.others(node.id):
        yield ast.Name(other, ast.Load())
    yield from (ast.Name(other, ast.Load()) for other in _neighbours(node.id))


def _attribute(node: ast.Attribute, scope: Scope) -> Iterator[ast.AST]:
    if is_self(node.value) and node.attr in scope.attributes:
        for other in scope.attributes:
            yield ast.Attribute(node.value, other, ast.Load())
    if node.attr in VIEWS:
        yield node.value
    if node.attr == "dtype":
        yield ast.Attribute(ast.Name("torch", ast.Load()), "float64", ast.Load())
    yield from (ast.Attribute(node.value, other, ast.Load()) for other in _neighbours(node.attr))


def _neighbours(name: str) -> Iterator[str]:
    for pair in NEIGHBOURS:
        if name in pair:
            yield pair[1 - pair.index(name)]


def _call(node: ast.Call, scope: Scope) -> Iterator[ast.AST]:
    positional = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
    if positional:
        yield positional[0]
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value, scope):
        yield node.func.value
    for index in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:index] + node.keywords[index + 1 :])
    if len(node.args) > 1:
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    for first, second in itertools.combinations(range(len(node.args)), 2):
        if type(node.args[first]) is type(node.args[second]):
            yield ast.Call(node.func, _swapped(node.args, first, second), node.keywords)


def _is_module(node: ast.expr, scope: Scope) -> bool:
    """`torch` in `torch.cos(x)`: a name, or a path of names, that is no variable here."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in scope.variables


def _tuple(node: ast.Tuple, _: Scope) -> Iterator[ast.AST]:
    for first in range(len(node.elts) - 1):
        yield ast.Tuple(_swapped(node.elts, first, first + 1), ast.Load())


def _swapped(items: Sequence[ast.expr], first: int, second: int) -> list[ast.expr]:
    result = list(items)
    result[first], result[second] = result[second], result[first]
    return result


def _part_of(node: ast.Subscript, _: Scope) -> Iterator[ast.AST]:
    yield node.value


def _slice(node: ast.Slice, _: Scope) -> Iterator[ast.AST]:
    if node.lower is not None:
        yield ast.Slice(None, node.upper, node.step)
    if node.upper is not None:
        yield ast.Slice(node.lower, None, node.step)
    if node.step is not None:
        yield ast.Slice(node.lower, node.upper, None)


def _filter(node: ast.comprehension, _: Scope) -> Iterator[ast.AST]:
    for index in range(len(node.ifs)):
        yield ast.comprehension(node.target, node.iter, node.ifs[:index] + node.ifs[index + 1 :], node.is_async)


def _required(node: ast.arguments, _: Scope) -> Iterator[ast.AST]:
    """The first default is gone: a call that leaves that argument out raises."""
    if node.defaults:
        without = copy.copy(node)
        without.defaults = node.defaults[1:]
        yield without


def _nothing(node: ast.stmt, scope: Scope) -> Iterator[ast.AST]:
    """Without this statement, where what follows can still run."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    names = {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    if names <= scope.bound_before:
        yield ast.Pass()


_Alter = Callable[..., Iterator[ast.AST]]
_ALTER: dict[type[ast.AST], tuple[_Alter, ...]] = {
    ast.Constant: (_constant,),
    ast.UnaryOp: (_constant, _without_sign),
    ast.BinOp: (_operator,),
    ast.Compare: (_comparison,),
    ast.BoolOp: (_junction,),
    ast.IfExp: (_choice,),
    ast.If: (_condition,),
    ast.Name: (_variable,),
    ast.Attribute: (_attribute,),
    ast.Call: (_call,),
    ast.Tuple: (_tuple,),
    ast.Subscript: (_part_of,),
    ast.Slice: (_slice,),
    ast.comprehension: (_filter,),
    ast.arguments: (_required,),
    ast.Assign: (_nothing,),
    ast.AugAssign: (_nothing, _updating),
    ast.Expr: (_nothing,),
    ast.Raise: (_nothing,),
    ast.Assert: (_nothing,),
    ast.For: (_nothing,),
}
