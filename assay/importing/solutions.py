"""Solution cells, by the marks of Otter and nbgrader: with the solution and without it."""

import ast
from collections.abc import Iterator
from typing import Final

from assay.importing.syntax import parsed

STUB: Final = "raise NotImplementedError"
_ENDS: Final = ("# SOLUTION NO PROMPT", "# SOLUTION", "# SEED", "# IGNORE")


def otter_cell(text: str) -> tuple[str, str]:
    """A solution cell of Otter Assign: the solution, and what students start from."""
    return "\n".join(_otter_solution(text)), "\n".join(_otter_starter(text))


def nbgrader_cell(text: str) -> tuple[str, str]:
    """A solution cell of nbgrader: the solution, and what students start from. Without marks all of it is solution."""
    if "BEGIN SOLUTION" not in text:
        return text, signatures_of(text)
    lines = text.split("\n")
    solution = [line for line in lines if "BEGIN SOLUTION" not in line and "END SOLUTION" not in line]
    return "\n".join(solution), "\n".join(_between(lines, "BEGIN SOLUTION", "END SOLUTION", STUB))


def signatures_of(text: str) -> str:
    """Imports, functions and classes with signatures and docstrings, which do nothing. Empty if it is no Python."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    kept = [
        _emptied(node)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
    ]
    return "\n\n\n".join(map(ast.unparse, kept))


def _emptied(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.ClassDef):
        node.body = [_emptied(inner) for inner in node.body if isinstance(inner, ast.FunctionDef) or _is_text(inner)]
        node.body = node.body or [ast.Pass()]
    elif isinstance(node, ast.FunctionDef):
        told = [inner for inner in node.body[:1] if _is_text(inner)]
        node.body = [*told, *ast.parse(STUB).body]
    return node


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _otter_solution(text: str) -> Iterator[str]:
    """Without marks, and without the prompts that replace a solution."""
    is_prompt = is_ignored = False
    for line in text.split("\n"):
        bare = line.strip()
        if _is_mark(bare, "BEGIN IGNORE"):
            is_ignored = True
        elif _is_mark(bare, "END IGNORE"):
            is_ignored = False
        elif bare.endswith("# BEGIN PROMPT"):
            is_prompt = True
        elif bare.endswith("# END PROMPT"):
            is_prompt = False
        elif not (is_prompt or is_ignored or bare.endswith("# IGNORE") or _is_region(bare) or _is_heading(bare)):
            end = next((end for end in _ENDS if bare.endswith(end)), "")
            yield line.rstrip().removesuffix(end).rstrip() if end else line


def _otter_starter(text: str) -> Iterator[str]:
    """As Otter's documentation has it: `...` for a region, a line, or what is assigned in it."""
    is_solution = is_ignored = False
    for line in text.split("\n"):
        bare = line.strip()
        indent = line[: len(line) - len(line.lstrip())]
        if _is_mark(bare, "END SOLUTION") or _is_mark(bare, "END IGNORE"):
            is_solution = is_ignored = False
        elif _is_mark(bare, "BEGIN IGNORE"):
            is_ignored = True
        elif _is_region(bare):
            is_solution = True
            if not bare.endswith("NO PROMPT"):
                yield f"{indent}..."
        elif is_solution or is_ignored or bare.endswith(("# BEGIN PROMPT", "# END PROMPT")) or _is_heading(bare):
            continue
        elif bare.endswith("# SOLUTION"):
            yield indent + _prompted(bare.removesuffix("# SOLUTION").rstrip())
        elif not bare.endswith(_ENDS):
            yield line


def _prompted(statement: str) -> str:
    try:
        (node,) = parsed(statement).body
    except (SyntaxError, ValueError):
        return "..."
    return f"{ast.unparse(node.targets[0])} = ..." if isinstance(node, ast.Assign) else "..."


def _is_mark(line: str, mark: str) -> bool:
    return line.startswith("#") and line.lstrip("# ") == mark


def _is_region(line: str) -> bool:
    return any(_is_mark(line, mark) for mark in ("BEGIN SOLUTION", "BEGIN SOLUTION NO PROMPT", "END SOLUTION"))


def _is_heading(line: str) -> bool:
    """`## solution ##`, the mark of a whole cell."""
    return line.startswith("##") and line.strip("# ").lower() == "solution"


def _between(lines: list[str], begin: str, end: str, instead: str) -> Iterator[str]:
    is_inside = False
    for line in lines:
        if begin in line:
            is_inside = True
            yield line[: len(line) - len(line.lstrip())] + instead
        elif end in line:
            is_inside = False
        elif not is_inside:
            yield line
