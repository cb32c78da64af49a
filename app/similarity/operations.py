"""One name for what PyTorch lets one write in several ways, so that a copy is not hidden by the choice."""

import ast
import re
from typing import Final

OPERATORS: Final = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "div",
    "MatMult": "matmul",
    "Pow": "pow",
    "USub": "neg",
}
SYNONYMS: Final = {
    "rsub": "sub",
    "multiply": "mul",
    "divide": "div",
    "true_divide": "div",
    "subtract": "sub",
    "negative": "neg",
    "swapaxes": "transpose",
    "swapdims": "transpose",
    "mT": "transpose last two",
}
LAST_TWO: Final = ({"-1", "-2"}, {"2", "3"})
IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
PRODUCT: Final = re.compile(r"(\.\.\.|\w*)(\w)(\w),\1(\w)(\w)->\1\2(\w)")
TEXT_MAX: Final = 400  # characters
SILENT: Final = frozenset({"print", "warn", "debug", "info"})
LARGE: Final = 10**18


def name_of(op: ast.operator | ast.unaryop | ast.boolop | ast.cmpop) -> str:
    """The operation's name, as torch has it."""
    kind = type(op).__name__
    return OPERATORS.get(kind, kind)


def common_name(name: str) -> str:
    """Returns one name for a function and for what does the same in place."""
    plain = name.rstrip("_") or name
    return SYNONYMS.get(plain, plain)


def is_transpose_of_last(arguments: list[ast.expr]) -> bool:
    """Whether `transpose` is given the last two axes, of four or of any number."""
    return {ast.unparse(each) for each in arguments[-2:]} in LAST_TWO


def product_of(equation: str) -> str:
    """Returns which matrix product an einsum of two operands is: "plain", "transposed", or "" where it is none."""
    found = PRODUCT.fullmatch(equation[:TEXT_MAX].replace(" ", ""))
    if found is None or len(set(found.group(2, 3))) < 2:
        return ""
    _, row, inner, one, two, column = found.groups()
    if (one, two) == (inner, column) and column not in (row, inner):
        return "plain"
    return "transposed" if (two, one) == (inner, column) and column not in (row, inner) else ""


def constant_of(value: object) -> str:
    """A constant. In a string, names are counted: those of an einsum's axes are as free as those of variables."""
    if isinstance(value, int) and abs(value) >= LARGE:
        return "large"  # Python refuses to write out some that it can read
    if not isinstance(value, str):
        return repr(value)[:80]
    seen: dict[str, str] = {}
    return IDENTIFIER.sub(lambda found: seen.setdefault(found[0], str(len(seen))), value[:TEXT_MAX])


def equation_of(text: str) -> str:
    """An einsum's equation with its letters counted."""
    letters: dict[str, str] = {}
    plain = text.replace(" ", "")[:TEXT_MAX]
    return "".join(letters.setdefault(each, f"{len(letters)}") if each.isalpha() else each for each in plain)


def is_silent(node: ast.expr) -> bool:
    """Whether an expression by itself does nothing to any value: a docstring, a call of `print`."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in SILENT
        case _:
            return isinstance(node, ast.Constant)
