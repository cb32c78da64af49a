"""A challenge's plausible mistakes: files that define some of the reference's steps again."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.manifest import ManifestError

EACH = "EACH"  # in a file that is a whole family of mistakes: what its parameter `each` is, by the word for it


@dataclass(frozen=True)
class Misconception:
    """A plausible mistake, as redefinitions of the reference's steps. Its docstring is what one would say at the
    student's desk.

    `name` is the file's, and in a family the member's behind it. The same idea gone wrong in several ways has one `id`:
    what stands before the first dot.
    """

    name: str
    title: str
    explanation: str
    source: bytes
    redefines: frozenset[str]

    @property
    def id(self) -> str:
        """The idea's name, under which its ways of going wrong are diagnosed."""
        return self.name.partition(".")[0]

    def is_compatible_with(self, other: "Misconception") -> bool:
        """Whether both mistakes, being in different steps, can be made together."""
        return not self.redefines & other.redefines


def misconceptions_in(path: Path) -> Iterator[Misconception]:
    """The mistake that a file holds, or each of its family. Raises ManifestError where it does not say what it is."""
    source = path.read_bytes()
    tree = ast.parse(source, filename=str(path))
    redefines = frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    told = ast.get_docstring(tree) or ""
    for word, value in (_family(tree, path) or {"": None}).items():
        title, _, explanation = told.replace("{each}", word).partition("\n\n")
        if not title or not explanation:
            raise ManifestError(
                f"{path}, line 1: a misconception begins with a docstring: a title, an empty line, and what you would "
                "tell the student"
            )
        name = f"{path.stem}.{word.replace(' ', '-')}" if word else path.stem
        yield Misconception(
            name=name,
            title=title.rstrip("."),
            explanation=" ".join(explanation.split()),
            source=_of_a_family(source, name, value) if word else source,
            redefines=redefines,
        )


def _of_a_family(source: bytes, name: str, value: object) -> bytes:
    """With a name of its own for what it calls `each`: another family's mistake may be made in the same program."""
    own = re.sub(r"\W", "_", f"each {name}")
    return re.sub(rb"\beach\b", own.encode(), source) + f"\n\n{own} = {value!r}\n".encode()


def _family(tree: ast.Module, path: Path) -> Mapping[str, object]:
    """What `EACH` says; empty where the file is one mistake."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [EACH]:
            family = _literal(node.value)
            if not isinstance(family, dict) or not all(isinstance(word, str) and word for word in family):
                place, example = f"{path}, line {node.lineno}", '{"queries": 0, "keys": 1}'
                raise ManifestError(
                    f"{place}: {EACH} is a dictionary from words to values that are written out, such as {example}, "
                    "with nothing that is called"
                )
            return family
    return {}


def _literal(node: ast.expr) -> object:
    """None where it is more than a value that is written out."""
    try:
        value: object = ast.literal_eval(node)
    except ValueError:
        return None
    return value
