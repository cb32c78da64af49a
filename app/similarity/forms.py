"""Statements without what may be changed freely, and what two files' statements say of how they are alike."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

MOSTLY: Final = 0.8  # of the statements
LEFT_OUT: Final = frozenset({"annotation", "returns", "type_comment", "ctx", "decorator_list", "type_params"})
BODIES: Final = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})


class Reason(StrEnum):
    """In what two files are alike: the first that holds."""

    LAYOUT = "layout"  # all but comments, docstrings, annotations and layout
    NAMES = "names"  # all but these and names
    ORDER = "order"  # the same statements without names, in another order
    STEPS = "steps"  # the same operations on the same values, in other statements
    TEXT = "text"  # passages that read the same


@dataclass(frozen=True)
class Forms:
    """A file's statements, three times: as they are, with names counted, with names left out."""

    named: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    nameless: tuple[str, ...] = ()


@dataclass(frozen=True)
class Likeness:
    """Why two files are shown, and whether that holds for all of them or for most."""

    reason: Reason
    is_whole: bool


def forms_of(tree: ast.Module) -> Forms:
    """Reads the statements of a file."""
    statements = list(_statements(tree.body))
    own = frozenset(_own_names(tree))
    count: dict[str, str] = {}
    return Forms(
        named=tuple(_form(each, lambda name: name) for each in statements),
        counted=tuple(
            _form(each, lambda n: count.setdefault(n, f"_{len(count)}") if n in own else n) for each in statements
        ),
        nameless=tuple(_form(each, lambda n: "_" if n in own else n) for each in statements),
    )


def likeness_of(left: Forms, right: Forms, *, has_all_steps: bool) -> Likeness:
    """Says in what two files of the same steps are alike."""
    if left.named == right.named:
        return Likeness(Reason.LAYOUT, is_whole=True)
    if left.counted == right.counted:
        return Likeness(Reason.NAMES, is_whole=True)
    if Counter(left.nameless) == Counter(right.nameless) and has_all_steps:
        return Likeness(Reason.ORDER, is_whole=True)
    if _share_in_order(left.named, right.named) >= MOSTLY:
        return Likeness(Reason.LAYOUT, is_whole=False)
    if _share_in_order(left.nameless, right.nameless) >= MOSTLY:
        return Likeness(Reason.NAMES, is_whole=False)
    if _share(left.nameless, right.nameless) >= MOSTLY:
        return Likeness(Reason.ORDER, is_whole=False)
    return Likeness(Reason.STEPS, is_whole=has_all_steps)


def _share_in_order(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


def _share(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    return 2 * (Counter(left) & Counter(right)).total() / (len(left) + len(right))


def _statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All statements in the order of the source; what is imported and what is only said is none."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            continue
        yield node
        for name in BODIES:
            yield from _statements(getattr(node, name, []))


def _own_names(tree: ast.Module) -> Iterator[str]:
    """The names that this file gives."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _form(node: object, called: Callable[[str], str]) -> str:
    """A statement without those inside it."""
    match node:
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _form(ast.Assign([target], value), called)
        case ast.Constant(value=value):
            return repr(value) if not isinstance(value, int) else hex(value)
        case ast.AST():
            fields = (
                _form(called(value) if isinstance(value, str) else value, called)
                for name, value in ast.iter_fields(node)
                if value is not None and name not in LEFT_OUT and not (name in BODIES and isinstance(value, list))
            )
            return f"{type(node).__name__}({' '.join(fields)})"
        case list():
            return f"[{' '.join(_form(each, called) for each in node)}]"
        case _:
            return str(node)
