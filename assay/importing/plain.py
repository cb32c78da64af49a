"""Which expressions of a test are plain values: constants, and tensors and arrays that are made of constants. The rest
stays in a test, as only the notebook could say what it is.
"""

import ast
from collections.abc import Mapping
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MAKERS: Final = _words(
    "tensor zeros ones full arange linspace eye zeros_like ones_like full_like stack cat concatenate array asarray "
    "tril triu sqrt exp log sin cos float32 float64 int32 int64 reshape transpose"
)
METHODS: Final = _words(
    "reshape view transpose t double float long int bool unsqueeze squeeze expand repeat tril triu astype tolist "
    "permute clone numpy copy"
)
BUILTINS: Final = _words("float int bool str list tuple dict range len abs min max sum")
LIBRARIES: Final = ("torch", "numpy", "math")
SEEDS: Final = ("manual_seed", "seed")


class NotPlainError(ValueError):
    """What keeps an expression from being a plain value, in half a sentence."""


def library_of(node: ast.expr, imports: Mapping[str, str]) -> str:
    """The library of which this is a part, such as `torch` of `np.random.randn`; empty if it is of none."""
    while isinstance(node, ast.Attribute):
        node = node.value
    words = imports.get(node.id, "").split() if isinstance(node, ast.Name) else []
    return words[1] if words[:1] == ["import"] and words[1] in LIBRARIES else ""


class Plain(ast.NodeTransformer):
    """Makes a plain value's code for `cases.py`, with random tensors drawn from the paper. Raises NotPlainError."""

    def __init__(self, names: set[str], imports: Mapping[str, str]) -> None:
        self._names, self._imports = names, imports

    def code(self, node: ast.expr) -> str:
        """The expression as it stands in `cases.py`."""
        return ast.unparse(self.visit(node))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        allowed = ast.List | ast.Tuple | ast.Dict | ast.UnaryOp | ast.BinOp | ast.operator | ast.unaryop
        if not isinstance(node, allowed | ast.Slice | ast.expr_context):
            raise NotPlainError(f"`{_short(node)}` is no plain value")
        return super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self._names:
            raise NotPlainError(f"`{node.id}` is no plain value")
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return ast.Subscript(self.visit(node.value), self.visit(node.slice), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A constant of a library, such as `torch.float64`, or a transposed tensor."""
        if library_of(node, self._imports):
            return node
        if node.attr not in ("T", "mT"):
            raise NotPlainError(f"`{_short(node)}` is no plain value")
        return ast.Attribute(self.visit(node.value), node.attr, node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [ast.keyword(one.arg, self.visit(one.value)) for one in node.keywords if one.arg]
        if len(keywords) < len(node.keywords) or any(one.arg == "requires_grad" for one in keywords):
            raise NotPlainError(f"`{_short(node)}` asks for gradients, or for keywords that are not written down")
        match node.func:
            case ast.Name(name) if name in BUILTINS:
                return ast.Call(node.func, arguments, keywords)
            case ast.Attribute(attr=name) as function if library_of(function, self._imports):
                return self._of_library(node, function, name, arguments, keywords)
            case ast.Attribute(value=value, attr=name, ctx=ctx) if name in METHODS:
                return ast.Call(ast.Attribute(self.visit(value), name, ctx), arguments, keywords)
            case _:
                raise NotPlainError(f"`{_short(node)}` is no plain value")

    def _of_library(
        self, node: ast.Call, function: ast.Attribute, name: str, arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> ast.AST:
        if name in ("randn", "standard_normal") and all(isinstance(one, ast.Constant | ast.Name) for one in arguments):
            is_numpy = library_of(function, self._imports) == "numpy"
            drawn = f"draw.normal({', '.join(map(ast.unparse, (*arguments, *keywords)))})"
            if is_numpy:
                drawn = f"{drawn.removesuffix(')')}, dtype=torch.float64).numpy()"
            return ast.parse(drawn, mode="eval").body
        if name in MAKERS:
            return ast.Call(function, arguments, keywords)
        raise NotPlainError(f"`{_short(node)}` is no plain value")


def is_seed(node: ast.stmt, imports: Mapping[str, str]) -> bool:
    """Whether it starts a library's random numbers, as a paper does itself."""
    match node:
        case ast.Expr(ast.Call(func=ast.Attribute(attr=name) as function)):
            return name in SEEDS and bool(library_of(function, imports))
        case _:
            return False


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else f"{text[:57]}..."
