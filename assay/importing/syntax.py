"""Python as its author left it: read as syntax, as long as `ast.unparse` can write it down again."""

import ast
from typing import Final

MOST_BITS: Final = 4096  # of a whole number: Python prints no more than some thousand digits
MOST_DEPTH: Final = 120  # nodes within each other: writing one takes several calls


def parsed(code: str | bytes) -> ast.Module:
    """The code as a tree. Raises SyntaxError or ValueError where it is none, or holds too large a number, and
    RecursionError or MemoryError where it is nested too deeply.
    """
    tree = ast.parse(code)
    layer: list[ast.AST] = [tree]
    for _ in range(MOST_DEPTH):
        for node in layer:
            if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value.bit_length() > MOST_BITS:
                raise ValueError(f"it holds a whole number of more than {MOST_BITS} bits")
        layer = [child for node in layer for child in ast.iter_child_nodes(node)]
    if layer:
        raise RecursionError(f"more than {MOST_DEPTH} nodes within each other")
    return tree
