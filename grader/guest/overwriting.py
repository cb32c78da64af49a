"""Where a function writes into a tensor that it was given: a guess for whoever looks for the line.

Standard library only, nothing secret.
"""

import ast
from collections.abc import Iterator

from grader.guest.callgraph import Function

OVERWRITES = "<argument> ="  # what such a line counts as among names: no name of Python's looks like this


def writes_into_arguments(function: ast.AST) -> Iterator[int]:
    """Lines with `x += 1`, `x[0] = 1` or `x.add_(1)`, where x is a parameter that no earlier line has given another
    value.
    """
    if not isinstance(function, Function):
        return
    given = {each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    bound = dict[str, int]()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] = min(node.lineno, bound.get(node.id, node.lineno))
    for node in ast.walk(function):
        written = _written(node)
        if written is not None and written.id in given and bound.get(written.id, written.lineno) >= written.lineno:
            yield written.lineno


def _written(node: ast.AST) -> ast.Name | None:
    """The variable whose tensor a statement changes."""
    match node:
        case ast.AugAssign(target=target) | ast.Assign(targets=[ast.Subscript() as target]):
            return _variable(target)
        case ast.Call(func=ast.Attribute(attr=name, value=value)) if name.endswith("_") and not name.endswith("__"):
            return _variable(value)
        case ast.keyword(arg="out", value=value):
            return _variable(value)
        case _:
            return None


def _variable(expression: ast.expr) -> ast.Name | None:
    while isinstance(expression, ast.Subscript):
        expression = expression.value
    return expression if isinstance(expression, ast.Name) else None
