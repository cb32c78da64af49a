"""What else could have been written at one place of a program: the names that exist there. Standard library only."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

NEAR = 2  # names on either side that a name is mistaken for
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Scope:
    """What else could have been written at a place: variables that exist there, and attributes of `self`."""

    variables: dict[str, str]  # name -> annotation, "" without one
    attributes: tuple[str, ...]
    bound_before: frozenset[str]

    @classmethod
    def at(cls, node: ast.AST, around: Sequence[ast.AST]) -> "Scope":
        """The scope of a node, where `around` are the nodes that it is in, the outermost first."""
        line = getattr(node, "lineno", 0)
        functions = [outer for outer in around if isinstance(outer, Function)]
        variables: dict[str, str] = {}
        for function in functions:
            for argument in ast.walk(function.args):
                if isinstance(argument, ast.arg):
                    variables[argument.arg] = ast.unparse(argument.annotation) if argument.annotation else ""
            variables |= dict.fromkeys(_stored_before(function, line), "")
        classes = [outer for outer in around if isinstance(outer, ast.ClassDef)]
        return cls(variables, _attributes(classes[-1]) if classes else (), frozenset(variables))

    def others(self, name: str) -> list[str]:
        """Variables that a hand could take for this one: those beside it, of its annotation where both have one."""
        names = [other for other in self.variables if other != "self" and self._are_of_a_kind(name, other)]
        if name not in names:
            return []
        at = names.index(name)
        return names[max(0, at - NEAR) : at] + names[at + 1 : at + 1 + NEAR]

    def _are_of_a_kind(self, name: str, other: str) -> bool:
        told, annotation = self.variables.get(name, ""), self.variables[other]
        return not told or not annotation or told == annotation


def _stored_before(function: Function, line: int) -> list[str]:
    names = [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno < line
    ]
    return list(dict.fromkeys(names))


def _attributes(owner: ast.ClassDef) -> tuple[str, ...]:
    names = [
        node.attr
        for node in ast.walk(owner)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value)
    ]
    return tuple(dict.fromkeys(names))


def is_self(node: ast.AST) -> bool:
    """Whether this is the name `self`."""
    return isinstance(node, ast.Name) and node.id == "self"
