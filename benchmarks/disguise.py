"""Disguises a copy mechanically, as somebody does who wants it not to be seen: what it computes stays the same.

Each disguise takes a tree and gives a tree. The names of the exercise stay, or nothing would be graded.
"""

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count

Tree = ast.Module
Disguise = Callable[[Tree, random.Random], Tree]
BODIES = ("body", "orelse", "finalbody")
PADDING = """
def _check_sizes(value, limit):
    total = 0
    for index, size in enumerate(value.shape):
        if size > limit:
            total += size * index
    return total


def _describe(value):
    lines = [f"{name}: {getattr(value, name, None)}" for name in ("shape", "dtype", "device")]
    return ", ".join(sorted(lines))
"""


def disguise(source: str, names: Iterator[str] | tuple[str, ...], seed: int) -> str:
    """Applies these disguises, one after another."""
    tree, chance = ast.parse(source), random.Random(seed)
    for name in names:
        tree = ast.fix_missing_locations(DISGUISES[name](tree, chance))
        tree = ast.parse(ast.unparse(tree))
    return ast.unparse(tree)


def _reformat(tree: Tree, _: random.Random) -> Tree:
    """Other comments, docstrings, layout; no annotations of what is assigned or returned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            if ast.get_docstring(node) is not None:
                del node.body[0]
            node.body.insert(0, ast.Expr(ast.Constant("Written by myself.")))
        if isinstance(node, ast.FunctionDef):
            node.returns = None
    return tree


def _rename(tree: Tree, _: random.Random) -> Tree:
    """Every variable, every helper and its parameters; of what the exercise names, the local variables."""
    fixed = _fixed(tree)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and not node.name.startswith("__"):
            bound |= {node.name}
    taken = {name: f"zz{index}" for index, name in enumerate(sorted(bound - fixed))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = taken.get(node.id, node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.name = taken.get(node.name, node.name)
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            node.attr = taken.get(node.attr, node.attr)
        elif isinstance(node, ast.Nonlocal | ast.Global):
            node.names = [taken.get(name, name) for name in node.names]
    return tree


def _fixed(tree: Tree) -> set[str]:
    """Names that mean something elsewhere: parameters, which may be given by name, what is imported, and keywords."""
    fixed: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg):
            fixed.add(node.arg or "")
        elif isinstance(node, ast.alias):
            fixed.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ClassDef):
            fixed |= {each.id for each in _class_level(node) if isinstance(each, ast.Name)}
    return fixed


def _class_level(node: ast.ClassDef) -> list[ast.expr]:
    plain = [target for each in node.body if isinstance(each, ast.Assign) for target in each.targets]
    return plain + [each.target for each in node.body if isinstance(each, ast.AnnAssign)]


def _reorder(tree: Tree, chance: random.Random) -> Tree:
    """Swaps neighbouring statements that do not need each other, and shuffles functions side by side."""
    for body in _bodies(tree):
        for index in range(len(body) - 1):
            if _are_independent(body[index], body[index + 1]) and chance.random() < 0.8:
                body[index], body[index + 1] = body[index + 1], body[index]
        if body and all(isinstance(each, ast.FunctionDef) for each in body):
            chance.shuffle(body)
    places = [
        index for index, each in enumerate(tree.body) if isinstance(each, ast.FunctionDef) and not each.decorator_list
    ]
    functions = [tree.body[index] for index in places]
    chance.shuffle(functions)
    for place, function in zip(places, functions, strict=True):
        tree.body[place] = function
    return tree


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list) and not isinstance(node, ast.Module):
                yield body


def _are_independent(one: ast.stmt, other: ast.stmt) -> bool:
    if not all(isinstance(each, ast.Assign) and _is_pure(each.value) for each in (one, other)):
        return False
    return not (_written(one) & (_read(other) | _written(other)) or _written(other) & _read(one))


def _is_pure(node: ast.expr) -> bool:
    """Nothing in place, nothing drawn."""
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    names = [each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called]
    return not any(name.endswith("_") or "rand" in name or name in ("pop", "append", "next") for name in names)


def _written(node: ast.AST) -> set[str]:
    return {ast.unparse(each) for each in ast.walk(node) if isinstance(getattr(each, "ctx", None), ast.Store)}


def _read(node: ast.AST) -> set[str]:
    reading = (each for each in ast.walk(node) if isinstance(getattr(each, "ctx", None), ast.Load))
    return {ast.unparse(each) for each in reading if isinstance(each, ast.Name | ast.Attribute)}


def _extract(tree: Tree, chance: random.Random) -> Tree:
    """Makes functions of what is assigned: half of what has an operation in it."""
    numbers, helpers = count(), []
    known = {name for node in tree.body for name in _top_level(node)}
    for function in [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]:
        for node in _own_statements(function):
            if not isinstance(node, ast.Assign) or not _may_move(node.value) or chance.random() < 0.5:
                continue
            used = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
            given = sorted(used - known - BUILTINS)
            name = f"_part_{next(numbers)}"
            arguments = ast.arguments([], [ast.arg(each) for each in given], None, [], [], None, [])
            helpers.append(ast.FunctionDef(name, arguments, [ast.Return(node.value)], []))
            node.value = ast.Call(ast.Name(name, ast.Load()), [ast.Name(each, ast.Load()) for each in given], [])
    first = next((i for i, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef | ast.ClassDef)), 0)
    tree.body[first:first] = helpers
    return tree


BUILTINS = frozenset(dir(__import__("builtins")))


def _top_level(node: ast.stmt) -> list[str]:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(each.asname or each.name).partition(".")[0] for each in names]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case _:
            return list(_written(node))


def _own_statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    waiting: list[ast.stmt] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            for name in BODIES:
                waiting += getattr(node, name, [])


def _may_move(node: ast.expr) -> bool:
    kinds = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.NamedExpr, ast.Await, ast.Yield, ast.Starred)
    has_work = isinstance(node, ast.BinOp | ast.Call)
    inner = list(ast.walk(node))
    uses_super = any(isinstance(each, ast.Name) and each.id in ("super", "locals") for each in inner)
    return has_work and not uses_super and not any(isinstance(each, kinds) for each in inner)


def _inline(tree: Tree, _: random.Random) -> Tree:
    """Puts a value that is used once, by the next statement, where it is used."""
    for body in _bodies(tree):
        index = 0
        while index < len(body) - 1:
            node, following = body[index], body[index + 1]
            if _is_used_once(tree, node, following):
                body[index + 1] = _Replace(node.targets[0].id, node.value).visit(following)
                del body[index]
            else:
                index += 1
    return tree


def _is_used_once(tree: Tree, node: ast.stmt, following: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_pure(value):
            simple = isinstance(following, ast.Assign | ast.Return) and not isinstance(value, ast.Tuple)
            used = Counter(each.id for each in ast.walk(following) if isinstance(each, ast.Name))[name]
            everywhere = Counter(each.id for each in ast.walk(tree) if isinstance(each, ast.Name))[name]
            inner = (ast.ListComp, ast.GeneratorExp, ast.Lambda, ast.DictComp)
            return (
                simple
                and used == 1
                and everywhere == 2
                and not any(isinstance(each, inner) for each in ast.walk(following))
            )
        case _:
            return False


class _Replace(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == self.name else node


def _loops(tree: Tree, _: random.Random) -> Tree:
    """`for … in range(…)` becomes `while`."""
    for body in _bodies(tree):
        for index, node in reversed(list(enumerate(body))):
            match node:
                case ast.For(
                    target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[*bounds]), orelse=[]
                ) if len(bounds) <= 3 and not any(isinstance(each, ast.Continue) for each in ast.walk(node)):
                    first, end, step = _range(bounds)
                    forward = ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), step)
                    test = ast.Compare(ast.Name(name, ast.Load()), [ast.Lt()], [end])
                    start = ast.Assign([ast.Name(name, ast.Store())], first)
                    body[index : index + 1] = [start, ast.While(test, [*node.body, forward], [])]
    return tree


def _range(bounds: list[ast.expr]) -> tuple[ast.expr, ast.expr, ast.expr]:
    zero, one = ast.Constant(0), ast.Constant(1)
    match bounds:
        case [end]:
            return zero, end, one
        case [first, end]:
            return first, end, one
        case _:
            return bounds[0], bounds[1], bounds[2]


# Equations of a product with the second transposed, and of a plain one.
PRODUCTS = {"...qd,...kd->...qk", "...ij,...kj->...ik", "...id,...jd->...ij", "bhqd,bhkd->bhqk", "bhid,bhjd->bhij"}
PLAIN = {"...qk,...kd->...qd", "...ij,...jk->...ik", "...ij,...jd->...id", "...qk,...kv->...qv", "bhqk,bhkd->bhqd"}


class _Synonyms(ast.NodeTransformer):
    """Functions for operators, methods for functions, `einsum` for products and back."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(
                left=left,
                op=ast.MatMult(),
                right=ast.Call(func=ast.Attribute(value=right, attr="transpose"), args=[one, two]),
            ):
                if {ast.unparse(one), ast.unparse(two)} == {"-1", "-2"}:
                    return _torch("einsum", ast.Constant("...ab,...cb->...ac"), left, right)
            case ast.BinOp(op=ast.MatMult()):
                return _torch("matmul", node.left, node.right)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(attr="einsum"), args=[ast.Constant(value=str(equation)), left, right]):
                plain = equation.replace(" ", "")
                if plain in PRODUCTS:
                    return ast.BinOp(
                        left, ast.MatMult(), _method(right, "transpose", ast.Constant(-2), ast.Constant(-1))
                    )
                if plain in PLAIN:
                    return ast.BinOp(left, ast.MatMult(), right)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="matmul"), args=[left, right]):
                return ast.BinOp(left, ast.MatMult(), right)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="F" | "torch"), attr="softmax"), args=[of], keywords=[dim]
            ):
                if dim.arg == "dim":
                    return _method(of, "softmax", dim.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name) or not isinstance(node.value, ast.Constant):
            return node
        return ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))


def _torch(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load()), list(given), [])


def _method(of: ast.expr, name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(of, name, ast.Load()), list(given), [])


def _synonyms(tree: Tree, _: random.Random) -> Tree:
    tree = _Synonyms().visit(tree)
    future = [index for index, node in enumerate(tree.body) if getattr(node, "module", "") == "__future__"]
    first = future[-1] + 1 if future else int(ast.get_docstring(tree) is not None)
    tree.body.insert(first, ast.Import([ast.alias("torch")]))
    return tree


def _pad(tree: Tree, _: random.Random) -> Tree:
    """Functions that nobody calls."""
    tree.body += ast.parse(PADDING).body
    return tree


DISGUISES: dict[str, Disguise] = {
    "reformat": _reformat,
    "rename": _rename,
    "reorder": _reorder,
    "extract": _extract,
    "inline": _inline,
    "loops": _loops,
    "synonyms": _synonyms,
    "pad": _pad,
}
