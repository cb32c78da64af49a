"""Small changes to a program that somebody holds for right: whatever of them a paper does not notice, it does not test.

Knows the standard library only, and neither papers nor verdicts. What becomes of a mutant: `grader.proof.mutation`.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.proof.operators import alternatives, is_left_alone
from grader.proof.scope import Scope

READABLE = 8  # characters: a shorter expression is shown with what is around it
LONGEST = 90


@dataclass(frozen=True)
class ProgramFile:
    """One file of a program. Of two definitions of a name, the one in the later part counts."""

    name: str  # "reference.py", or with the challenge that it is inherited from: "mha-rope/reference.py"
    source: bytes


@dataclass(frozen=True)
class Mutant:
    """A program with one change. The id names function and change, not the line: it outlives edits elsewhere."""

    id: str  # "scale: scores / math.sqrt(d_k) -> scores * math.sqrt(d_k)"
    place: str  # "reference.py:34"
    parts: tuple[ProgramFile, ...]

    @property
    def sources(self) -> tuple[bytes, ...]:
        """The files' contents, in the order in which they are executed, as one module."""
        return tuple(part.source for part in self.parts)


def mutants_of(parts: Sequence[ProgramFile], entry_points: Iterable[str], prefix: str = "") -> tuple[Mutant, ...]:
    """All mutants of what the entry points can reach, in the order of the source. None equals another's code.

    `prefix` goes before every id, to tell two programs of one challenge apart.
    """
    counts: Counter[str] = Counter()
    found = []
    for number, definition in _definitions_in_use(parts, entry_points):
        part = parts[number]
        for change in _changes(definition, prefix + getattr(definition, "name", "")):
            counts[change.id] += 1
            again = f" (no. {counts[change.id]})" if counts[change.id] > 1 else ""
            mutated = ProgramFile(part.name, _spliced(part.source, definition, change.code))
            changed = (*parts[:number], mutated, *parts[number + 1 :])
            found.append(Mutant(change.id + again, f"{part.name}:{change.line}", changed))
    return tuple(found)


def _definitions_in_use(parts: Sequence[ProgramFile], entry_points: Iterable[str]) -> Iterator[tuple[int, ast.stmt]]:
    """Those that the entry points can reach and no later part defines anew, each with the number of its part."""
    trees = {part.name: ast.parse(part.source) for part in parts}
    alive = _reached(trees.values(), entry_points)
    for number, part in enumerate(parts):
        later = _names_defined([trees[other.name] for other in parts[number + 1 :]])
        yield from ((number, each) for each in trees[part.name].body if getattr(each, "name", "") in alive - later)


@dataclass(frozen=True)
class _Change:
    id: str
    line: int
    code: str  # of the whole definition, changed


@dataclass(frozen=True)
class _Slot:
    """A place in a tree that holds a node, and the nodes around it from the outside in."""

    around: tuple[ast.AST, ...]
    field: str
    index: int | None

    @property
    def parent(self) -> ast.AST:
        return self.around[-1]

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def _changes(definition: ast.stmt, name: str) -> Iterator[_Change]:
    seen = {ast.unparse(definition)}
    for slot, node in list(_slots(definition, (definition,))):
        context = _context(slot, node)
        place = f"{name}: default" if isinstance(slot.parent, ast.arguments) else f"{name}:"
        for replacement in alternatives(node, Scope.at(node, slot.around)):
            before = _shown(context or node)
            slot.put(replacement)
            code, after = ast.unparse(ast.fix_missing_locations(definition)), _shown(context or replacement)
            slot.put(node)
            if code not in seen:
                seen.add(code)
                yield _Change(f"{place} {before} -> {after}", getattr(node, "lineno", definition.lineno), code)


def _slots(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[tuple[_Slot, ast.AST]]:
    """Every place below `node` whose content may be changed."""
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if not isinstance(child, ast.AST) or is_left_alone(node, field, child):
                continue
            yield _Slot(around, field, index if isinstance(value, list) else None), child
            if not isinstance(child, ast.UnaryOp) or not isinstance(child.operand, ast.Constant):
                yield from _slots(child, (*around, child))


def _context(slot: _Slot, node: ast.AST) -> ast.AST | None:
    """The nearest node around that says enough to be read alone; None where the node itself does."""
    if isinstance(node, ast.stmt | ast.arguments) or isinstance(slot.parent, ast.arguments):
        return None
    if (
        isinstance(node, ast.expr)
        and len(ast.unparse(node)) >= READABLE
        and not isinstance(node, ast.Tuple | ast.Slice)
    ):
        return None
    readable = (outer for outer in reversed(slot.around) if isinstance(outer, ast.stmt | ast.expr))
    return next(outer for outer in readable if not isinstance(outer, ast.Tuple) and len(ast.unparse(outer)) >= READABLE)


def _shown(node: ast.AST) -> str:
    line = ast.unparse(node).splitlines()[0]
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def _spliced(source: bytes, definition: ast.stmt, code: str) -> bytes:
    """The file with this definition replaced and all else left where it stands."""
    lines = source.decode().splitlines()
    decorators: list[ast.expr] = getattr(definition, "decorator_list", [])
    first = min([definition.lineno, *(decorator.lineno for decorator in decorators)])
    return "\n".join([*lines[: first - 1], code, *lines[definition.end_lineno :], ""]).encode()


def _reached(trees: Iterable[ast.Module], entry_points: Iterable[str]) -> set[str]:
    """Definitions that the entry points use, or that what they use uses; of a redefined name, the last one counts."""
    bodies = {getattr(node, "name", ""): node for tree in trees for node in tree.body}
    reached: set[str] = set()
    waiting = list(entry_points)
    while waiting:
        name = waiting.pop()
        if name not in reached and name in bodies:
            reached.add(name)
            waiting += [node.id for node in ast.walk(bodies[name]) if isinstance(node, ast.Name)]
    return reached


def _names_defined(trees: Iterable[ast.Module]) -> set[str]:
    return {getattr(node, "name", "") for tree in trees for node in tree.body}
