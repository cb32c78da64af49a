"""What a file declares: its functions and classes, what it imports, what its methods call the object."""

import ast
import builtins
from collections.abc import Iterator
from typing import Final

MODULES: Final = frozenset({"nn", "functional", "init", "linalg"})  # imported as names of `torch`
BUILTINS: Final = frozenset(dir(builtins))

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Declared:
    """The names of a file, and its functions, methods among them."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions: list[Function] = []
        self.by_name: dict[str, Function] = {}  # of two, the later
        self.classes: set[str] = set()
        self.modules: set[str] = set()
        self.imported: dict[str, str] = {}  # the name there, by the name here
        self.selves: set[str] = set()
        for node in ast.walk(tree):
            self._declare(node)

    def _declare(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.functions.append(node)
                self.by_name[node.name] = node
            case ast.ClassDef():
                self.classes.add(node.name)
                self.selves |= set(_selves(node))
            case ast.Import(names=names):
                self.modules |= {(each.asname or each.name).partition(".")[0] for each in names}
            case ast.ImportFrom(names=names):
                self.modules |= {each.asname or each.name for each in names if each.name in MODULES}
                self.imported |= {each.asname or each.name: each.name for each in names}

    def is_known(self, name: str) -> bool:
        """Whether the name means the same in every file."""
        return name in BUILTINS or name in self.imported

    def function_called(self, called: ast.expr) -> Function | None:
        """The function of this file that a call means, as far as it says so."""
        match called:
            case ast.Name(id=name):
                return self.by_name.get(name)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in self.selves:
                return self.by_name.get(name)
            case _:
                return None

    def begins(self) -> list[Function]:
        """The functions in the order to read them: what sets attributes, then what no other calls, then the rest."""
        called = {each for function in self.functions for each in self._calls_in(function)}
        return sorted(self.functions, key=lambda each: (each.name != "__init__", each in called))

    def _calls_in(self, function: Function) -> Iterator[Function]:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and (own := self.function_called(node.func)) and own is not function:
                yield own

    def parameters(self, arguments: ast.arguments) -> list[str]:
        """Their names without that of the object: the positional ones first."""
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        return [each.arg for each in every if each.arg not in self.selves]


def _selves(node: ast.ClassDef) -> Iterator[str]:
    """What its methods call the object."""
    for each in node.body:
        if isinstance(each, Function) and each.args.args and not _is_static(each):
            yield each.args.args[0].arg


def _is_static(function: Function) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in function.decorator_list)
