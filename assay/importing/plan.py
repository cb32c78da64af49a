"""What becomes of each test: a case where it compares plainly, else a test that runs beside the submission."""

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from assay.importing.assignment import Assignment, Test
from assay.importing.comparisons import Comparisons, NotComparedError, comparisons_in
from assay.importing.module import Module, names_in

RESERVED = ("efficiency", "structure")  # families that every challenge has


@dataclass(frozen=True)
class Planned:
    """A test with the name of its file and function, and its cases, or why it has none."""

    test: Test
    file: str
    function: str
    cases: Comparisons | None
    reason: str = ""

    @property
    def id(self) -> str:
        """How a report names it while it runs beside a submission."""
        return f"{self.file}/{self.function}"

    @property
    def family(self) -> str:
        """The family of its cases."""
        name = self.file.removeprefix("test_").replace("_", "-")
        return f"{name}-cases" if name in RESERVED else name


def plan(found: Assignment, module: Module) -> list[Planned]:
    """All tests that can be run; what names a thing that is not there is noted and left."""
    planned: list[Planned] = []
    files: dict[tuple[str, bool], str] = {}
    for test in found.tests:
        strange = sorted(_strange(test, module))
        if strange:
            found.leave_test(test, f"it uses `{strange[0]}`, which is no function, class or import of the solution")
            continue
        file = files.setdefault((test.group, test.is_hidden), _file_of(test, files.values()))
        number = 1 + sum(other.file == file for other in planned)
        try:
            cases, reason = comparisons_in(test.source, module), ""
        except NotComparedError as error:
            cases, reason = None, str(error)
        planned.append(Planned(test, file, f"test_{number}", cases, reason))
    return planned


def _file_of(test: Test, taken: Collection[str]) -> str:
    """A name of its own: what students may not read is in no file with what they may."""
    name = re.sub(r"[^a-z0-9]+", "_", test.group.lower()).strip("_").removeprefix("test_")[:40] or "tests"
    file = f"test_{name}_hidden" if test.is_hidden else f"test_{name}"
    return file if file not in taken else f"{file}_{len(taken) + 1}"


def _strange(test: Test, module: Module) -> set[str]:
    tree = ast.parse(test.source)
    known = {*dir(builtins), *module.imports, *module.defined}
    return names_in([tree]) - known - {*bound_in(tree)}


def bound_in(tree: ast.AST) -> Iterator[str]:
    """Names that the test gives itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)):
                yield name
            case _:
                pass


def as_file(tests: Sequence[Planned], module: Module, main: str) -> str:
    """The file of tests for these, as pytest would run it."""
    trees = [ast.parse(planned.test.source) for planned in tests]
    used = names_in(trees) - {name for tree in trees for name in bound_in(tree)}
    imports = sorted(module.imports[name] for name in used if name in module.imports and name not in module.defined)
    own = ", ".join(sorted(used & module.defined))
    head = [f'"""{tests[0].file}: tests as the assignment has them. They run beside the submission."""', ""]
    head += [*imports, *([f"from {main} import {own}"] if own else [])]
    return "\n".join([*head, *(_function(planned, tree) for planned, tree in zip(tests, trees, strict=True))]) + "\n"


def _function(planned: Planned, tree: ast.Module) -> str:
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    told = ast.Expr(ast.Constant(planned.test.where))
    function = ast.parse(f"def {planned.function}(): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [told, *body]
    return f"\n\n{ast.unparse(function)}"
