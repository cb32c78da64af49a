"""Which steps of the reference each entry point reaches, and so where a mistake in one of them can show."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.guest.callgraph import CallGraph
from grader.guest.execution import Call
from grader.manifest import Manifest
from grader.misconception import Misconception

REFERENCE = "reference.py"


@dataclass(frozen=True)
class Reach:
    """Read from the source of the reference alone, once for each exercise."""

    main: str
    body: tuple[ast.stmt, ...]
    steps_of: Mapping[str, set[str]]  # of each entry point
    making: frozenset[str] = frozenset()  # steps that only the making of an object reaches, and classes
    _touched: dict[tuple[frozenset[str], str], bool] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, source: bytes, manifest: Manifest) -> "Reach":
        """Reads the source, which may be that of several files in a row."""
        tree = ast.parse(source)
        graph = CallGraph({REFERENCE: tree})
        steps_of = {
            entry.name: graph.reachable_from(entry.name).union(
                *(graph.reachable_from(f"{entry.name}.{method}") for method in entry.methods)
            )
            for entry in manifest.entry_points
        }
        methods = [f"{entry.name}.{method}" for entry in manifest.entry_points for method in entry.methods]
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        called = [name for name in steps_of if name in functions]
        computing = set().union(*(graph.reachable_from(name) for name in (*called, *methods)))
        making = frozenset(step for steps in steps_of.values() for step in steps) - computing
        return cls(manifest.source.main, tuple(tree.body), steps_of, making)

    def is_of_computing(self, misconception: Misconception) -> bool:
        """Whether what it changes computes results; what makes an object shows only where that is used."""
        return not misconception.redefines & self.making

    def entry_point_of(self, misconception: Misconception) -> str:
        """The entry point whose line a message about this mistake should show: the narrowest that reaches the step."""
        found = [name for name, steps in self.steps_of.items() if misconception.redefines & steps]
        return min(found, key=lambda name: len(self.steps_of[name]), default=self.main)

    def touches(self, misconception: Misconception, entry: str) -> bool:
        """Whether the mistake can change what this entry point gives. A diagnosis asks hundreds of times for each."""
        key = (misconception.redefines, entry)
        if key not in self._touched:
            steps = misconception.redefines & {_name_of(node) for node in self.body}
            is_seen = steps <= set().union(*self.steps_of.values())  # a class may be reached in ways that are not seen
            self._touched[key] = not is_seen or bool(steps & self.steps_of.get(entry, set()))
        return self._touched[key]

    def touches_call(self, misconception: Misconception, call: Call) -> bool:
        """Whether the mistake can change what this call gives: in any of the entry points that it calls."""
        if not call.moves:
            return self.touches(misconception, call.function)
        return any(self.touches(misconception, name) for name in call.functions)

    def leaves_out(self, misconception: Misconception) -> frozenset[str]:
        """Entry points that the main one no longer uses where the mistake is made."""
        kept = [node for node in self.body if _name_of(node) not in misconception.redefines]
        body = [*kept, *ast.parse(misconception.source).body]
        left = CallGraph({REFERENCE: ast.Module(body, [])}).reachable_from(self.main)
        return frozenset(self.steps_of) & (self.steps_of[self.main] - left)


def _name_of(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""
