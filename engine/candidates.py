"""What in a project nearly answers an exercise: a definition under another name, with its parameters in another order,
or in another file than the rest. Nothing is run.
"""

import ast
import difflib
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Final

from engine.check import entry_points_of
from engine.finding import is_aside
from engine.wire.challenges import ChallengeDetail
from grader.guest.gradable import defined_entry_points
from grader.guest.inspection import EntryKind, EntryPoint

PREFIXES: Final = ("run", "my", "apply", "compute", "calculate", "get", "stable")  # they do not say what it is
ALIKE: Final = 0.75  # of 1: share of what two names have in common
TELLING: Final = 3  # parameters that, named as in the exercise, tell a function whatever it is called
LONGEST: Final = 80  # characters of a name


class Fit(IntEnum):
    """How a definition can be called as the exercise says; the best is the least."""

    AS_IT_IS = 0  # under its own name
    BY_NAME = 1  # with its arguments given by name
    NOT = 2


@dataclass(frozen=True)
class Candidate:
    """A definition that may be meant to answer an entry point."""

    entry: EntryPoint
    file: str
    node: ast.FunctionDef | ast.ClassDef
    fit: Fit

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def signature(self) -> str:
        """The head of the definition, as the student wrote it but without annotations."""
        if isinstance(self.node, ast.ClassDef):
            return f"class {self.name}"
        return f"{self.name}({ast.unparse(_Bare().visit(deepcopy(self.node.args)))})"

    @property
    def is_exact(self) -> bool:
        """Whether only the file is another than that of the rest."""
        return self.fit is Fit.AS_IT_IS and self.name == self.entry.name

    @property
    def is_of_its_kind(self) -> bool:
        """Whether it is a class where a class is asked for, and a function where a function is."""
        return isinstance(self.node, ast.ClassDef) is (self.entry.kind is EntryKind.CLASS)

    @property
    def rank(self) -> tuple[bool, bool, int, bool, bool, int, str, int]:
        """The best is the least."""
        suits = self.fit is Fit.NOT, is_aside(self.file), self.fit, not self.is_of_its_kind
        return *suits, self.name != self.entry.name, len(self.file), self.file, self.node.lineno


@dataclass(frozen=True)
class NearAnswer:
    """The best candidate for each entry point of a challenge that no single file answers."""

    challenge: ChallengeDetail
    candidates: tuple[Candidate, ...]

    alike: tuple[str, ...] = ()  # further challenges that ask for the same

    @property
    def can_be_adapted(self) -> bool:
        """Whether a few lines would make it an answer."""
        return all(candidate.fit is not Fit.NOT for candidate in self.candidates)


def near_answers(trees: Mapping[str, ast.Module], challenges: Iterable[ChallengeDetail]) -> list[NearAnswer]:
    """Returns the challenges of which every entry point has a candidate; of several that ask the same, the first."""
    near: dict[tuple[EntryPoint, ...], NearAnswer] = {}
    for challenge in challenges:
        entries = entry_points_of(challenge)
        if entries in near:
            same = near[entries]
            near[entries] = replace(same, alike=(*same.alike, challenge.slug))
        elif candidates := _best_of_each(trees, entries):
            near[entries] = NearAnswer(challenge, candidates)
    return list(near.values())


def _best_of_each(trees: Mapping[str, ast.Module], entries: Iterable[EntryPoint]) -> tuple[Candidate, ...]:
    """Empty where an entry point has none."""
    found = [min(_candidates(trees, entry), key=lambda each: each.rank, default=None) for entry in entries]
    kept = tuple(candidate for candidate in found if candidate is not None)
    return kept if len(kept) == len(found) else ()


def _candidates(trees: Mapping[str, ast.Module], entry: EntryPoint) -> Iterator[Candidate]:
    for path, tree in trees.items():
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or not _may_be_meant(node, entry):
                continue
            fit = _fit(node, entry, path, tree)
            if fit is not Fit.NOT or _bare(node.name) == _bare(entry.name):  # what does not fit needs the very name
                yield Candidate(entry, path, node, fit)


def _may_be_meant(node: ast.FunctionDef | ast.ClassDef, entry: EntryPoint) -> bool:
    """By its name, or by what it takes."""
    if isinstance(node, ast.FunctionDef) and entry.kind is EntryKind.CLASS:
        return False
    is_telling = len(entry.parameters) >= TELLING and set(entry.parameters) <= set(_named(node))
    return is_telling or _is_alike(entry.name, node.name)


def _is_alike(wanted: str, name: str) -> bool:
    matcher = _matcher(_bare(wanted[:LONGEST]))
    matcher.set_seq1(_bare(name[:LONGEST]))
    bounds = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)  # each costs more than the one before
    return all(bound() >= ALIKE for bound in bounds)


@lru_cache(maxsize=256)  # it has looked at its second text already
def _matcher(wanted: str) -> difflib.SequenceMatcher[str]:
    return difflib.SequenceMatcher(None, b=wanted, autojunk=False)


def _bare(name: str) -> str:
    """Its letters, however its words are joined, without a prefix that everybody uses."""
    first, _, rest = name.lower().strip("_").partition("_")
    return (rest if first in PREFIXES and rest else name).replace("_", "").lower()


def _fit(node: ast.FunctionDef | ast.ClassDef, entry: EntryPoint, path: str, tree: ast.Module) -> Fit:
    if isinstance(node, ast.ClassDef) is not (entry.kind is EntryKind.CLASS):
        return Fit.NOT
    if defined_entry_points([replace(entry, name=node.name)], path, tree):
        return Fit.AS_IT_IS
    return Fit.BY_NAME if isinstance(node, ast.FunctionDef) and _takes_by_name(node.args, entry) else Fit.NOT


def _takes_by_name(arguments: ast.arguments, entry: EntryPoint) -> bool:
    """Whether it takes all that the exercise gives, by the names that the exercise has for it, and needs no more."""
    given = {*entry.parameters, *entry.keywords}
    optional = len(arguments.args) - len(arguments.defaults)
    needed = {argument.arg for argument in arguments.args[: max(0, optional)]}
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    needed |= {argument.arg for argument, default in by_name if default is None}
    named = {argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)}
    return not arguments.posonlyargs and needed <= given <= named


def _parameters(node: ast.FunctionDef | ast.ClassDef) -> ast.arguments | None:
    """Of a class those of its constructor, with `self`."""
    if isinstance(node, ast.FunctionDef):
        return node.args
    inits = (inner for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__")
    return next((init.args for init in inits), None)


def _named(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    arguments = _parameters(node)
    return [] if arguments is None else [each.arg for each in (*arguments.args, *arguments.kwonlyargs)]


class _Bare(ast.NodeTransformer):
    """Parameters without annotations: names and defaults tell which function is meant."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)
