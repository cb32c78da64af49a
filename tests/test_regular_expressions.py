"""No regular expression of ours takes long, whatever it meets: all are found in the sources, and none is ambiguous."""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from grader.comparison.meanings import LOOKED_AT, MEANINGS
from tests.ambiguity import ambiguity_of

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("app", "grader", "engine", "worker", "assay")
USES: Final = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
SEARCHES: Final = USES - {"match", "fullmatch"}
# The one place that says which expressions backtrack, or are made at run time, and what keeps them harmless. None is
# exponential. `StringConstraints(pattern=...)` is not looked at: pydantic's matcher does not backtrack.
EXEMPT: Final[Mapping[str, str]] = {
    "grader/beside/pytest.py: self._match": "the lecturer's own, in the sandbox, within a session's limits",
    "_REVISION": "reads the operator's own dump of the database",
    "_TOKEN": "a run of digits that is no number is taken whole as a word: none is tried twice",
    "CALLING": "an exception's message, which the sandbox cuts at 2,000 signs, on a judge",
    "grader/comparison/meanings/meaning.py: pattern": "made of literals by a function; what it makes comes below",
}
MOST_OF_A_MESSAGE: Final = 500  # what meanings look at of an exception's message: its square is little


@dataclass(frozen=True)
class Found:
    """One expression in the sources, and how it is used."""

    place: str
    name: str
    pattern: "re.Pattern[str] | None"
    uses: frozenset[str]

    @property
    def ambiguity(self) -> str | None:
        assert self.pattern is not None
        return ambiguity_of(
            self.pattern, searches=bool(self.uses & SEARCHES), whole="fullmatch" in self.uses or not self.uses
        )


def modules() -> Iterator[tuple[Path, ModuleType]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if re.search(r"^import re$|^from re import", source, re.MULTILINE):
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                yield path, importlib.import_module(name)


def found_in(path: Path, module: ModuleType) -> Iterator[Found]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    names, used_here = dict(_assigned(tree)), uses_in(source)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        if node.func.attr not in USES | {"compile"}:
            continue
        name = names.get(node.lineno, "-")
        used = used_here if name.startswith("_") else USED_ANYWHERE
        uses = frozenset({node.func.attr}) & USES or frozenset(used[name])
        yield Found(f"{path.relative_to(ROOT)}: {ast.unparse(node.args[0])}", name, _compiled(node, module), uses)


def _assigned(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The name of what is assigned on a line."""
    for node in ast.walk(tree):
        target = node.target if isinstance(node, ast.AnnAssign) else None
        target = node.targets[0] if isinstance(node, ast.Assign) else target
        if isinstance(target, ast.Name) and node.value is not None:
            yield node.value.lineno, target.id


def uses_in(source: str) -> defaultdict[str, set[str]]:
    """How what has a name is used: a private one in its own module, others anywhere."""
    used = defaultdict[str, set[str]](set)
    for name, use in re.findall(rf"\b(\w+)\.({'|'.join(sorted(USES))})\(", source):
        used[name].add(use)
    return used


def _compiled(call: ast.Call, module: ModuleType) -> "re.Pattern[str] | None":
    """None where it is made at run time."""
    given: list[Any] = []
    flags = [*call.args[1:], *(word.value for word in call.keywords if word.arg == "flags")]
    for node in (call.args[0], *(flags[-1:] if _is_compile(call) else [])):
        try:
            given.append(eval(ast.unparse(node), vars(module)))  # our own sources
        except NameError:
            return None
    return re.compile(*given)


def _is_compile(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "compile"


USED_ANYWHERE: Final = uses_in(
    "\n".join(path.read_text(encoding="utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
)
FOUND: Final = [found for path, module in modules() for found in found_in(path, module)] + [
    Found(f"grader/comparison/meanings: {meaning.pattern.pattern}", "MEANINGS", meaning.pattern, frozenset({"search"}))
    for meaning in MEANINGS
]


def test_expressions_are_found_in_every_package() -> None:
    assert {found.place.partition("/")[0] for found in FOUND} == set(PACKAGES)
    assert len(FOUND) > 60


@pytest.mark.parametrize("found", FOUND, ids=lambda found: found.place)
def test_no_expression_takes_longer_than_its_text(found: Found) -> None:
    is_exempt = bool({found.name, found.place} & EXEMPT.keys())
    if found.pattern is None:
        assert is_exempt, "it is made at run time: say in EXEMPT what keeps it harmless"
        return
    allowed = {None, "polynomial"} if is_exempt or found.name == "MEANINGS" else {None}
    assert found.ambiguity in allowed, f"{found.pattern.pattern!r} backtracks: there must be one way to match a text"


def test_what_is_exempt_is_still_there_and_still_short() -> None:
    assert EXEMPT.keys() <= {found.place for found in FOUND} | {found.name for found in FOUND}
    assert LOOKED_AT <= MOST_OF_A_MESSAGE


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"(a+)+b", "exponential"),
        (r"(a|a)*b", "exponential"),
        (r"(x*)*y", "exponential"),
        (r"(\s*\w+)+;", "exponential"),
        (r"\s*a?\s*b", "polynomial"),
        (r"a+a+b", "polynomial"),
        (r"\s+$", "polynomial"),
        (r"[^@]+\.[^@]+@", "polynomial"),
        (r"(a|b)*c", "polynomial"),
        (r"x(a|b)*c", None),
        (r"x[a-z0-9]+(-[a-z0-9]+)*", None),
        (r"\d+", None),
    ],
)
def test_the_checker_knows_slow_expressions_from_quick_ones(pattern: str, told: str | None) -> None:
    assert ambiguity_of(re.compile(pattern), searches=True, whole=False) == told
