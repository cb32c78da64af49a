"""The direction of imports, and what must stay light. ARCHITECTURE.md says why."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import authoring

ROOT = Path(__file__).parents[1]
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)  # of a page
OURS = {"app", "assay", "challenges", "engine", "grader", "transport", "worker"}
LINES_MAX = 300


def imported_modules(package: str) -> set[str]:
    return {name for path in (ROOT / package).rglob("*.py") for name in imported_by(path)}


def imported_by(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_imports_go_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_the_client_knows_what_it_shares_with_the_server_and_nothing_else_of_the_grader() -> None:
    known = {module for module in imported_modules("engine") if module.partition(".")[0] == "grader"}
    check = {f"grader.guest.{name}" for name in ("gradable", "inspection", "submission")}
    assert known == {"grader.report", "grader.efficiency_report", "grader.line_diff", "grader.notebook", *check}


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("app.main", {"torch", "numpy", "safetensors", "worker"}),
        ("app.recorder", {"torch", "numpy", "safetensors", "worker", "fastapi"}),
        ("assay.accounts", {"torch", "fastapi"}),
        ("engine.cli", {"torch", "httpx", "rich", "pydantic", "fastapi", "celery", "sqlalchemy"}),
        ("assay.commands.grade", {"torch", "numpy", "fastapi", "sqlalchemy"}),  # before its runner has been started
        ("worker.runner", {"torch", "redis", "celery", "docker", "sqlalchemy", "grader.exercise", "grader.grade"}),
        ("assay.exercises.verifier", {"sqlalchemy", "fastapi", "jinja2", "markdown_it"}),  # which its image has not
        ("grader.report", {"torch", "fastapi"}),
        ("grader.guest.gradable", {"torch", "numpy", "pydantic"}),
        ("grader.alive", {"torch", "pydantic", "celery", "redis", "click", "asyncio"}),
        ("grader.questions", {"torch"}),
    ],
)
def test_importing_it_does_not_load(module: str, heavy: set[str]) -> None:
    script = f"import sys, {module}; print(*(name for name in sys.modules if name in {heavy!r}))"
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.split() == []


def test_what_goes_into_the_sandbox_knows_torch_numpy_and_the_standard_library() -> None:
    known = {module.partition(".")[0] for module in imported_modules("grader/guest")}
    assert known - sys.stdlib_module_names == {"grader", "numpy", "torch"}


@pytest.mark.parametrize("package", sorted(OURS))
def test_no_file_is_longer_than_can_be_read_at_a_sitting(package: str) -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in (ROOT / package).rglob("*.py")}
    assert not [path for path, lines in lengths.items() if lines > LINES_MAX]


def public(body: list[ast.stmt]) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return (node for node in body if isinstance(node, kinds) and not node.name.startswith("_"))


def follows_others(node: ast.ClassDef) -> bool:
    """Such as `click.Group`, which has its own documentation."""
    return any(isinstance(base, ast.Attribute) for base in node.bases)


def test_what_is_public_has_a_docstring_or_one_in_the_class_that_it_follows() -> None:
    files = (path for package in sorted(OURS - {"challenges"}) for path in (ROOT / package).rglob("*.py"))
    files = (path for path in files if not {"template", "versions"} & set(path.parts))  # of authors, and migrations
    found = [(path, node) for path in files for node in public(ast.parse(path.read_bytes()).body)]
    classes = [(path, node) for path, node in found if isinstance(node, ast.ClassDef)]
    methods = [(path, method) for path, node in classes if not follows_others(node) for method in public(node.body)]
    told = {method.name for _, node in classes for method in public(node.body) if ast.get_docstring(method)}
    untold = [f"{path}: {node.name}" for path, node in found if not ast.get_docstring(node)]
    untold += [
        f"{path}: {each.name}" for path, each in methods if not ast.get_docstring(each) and each.name not in told
    ]
    assert untold == []


@pytest.mark.parametrize("package", ["grader", "grader/guest", "worker"])
def test_the_packages_around_what_goes_into_the_sandbox_hold_no_code(package: str) -> None:
    body = ast.parse((ROOT / package / "__init__.py").read_bytes()).body
    assert all(isinstance(statement, ast.Expr) for statement in body)  # its docstring


@pytest.mark.parametrize("package", ["challenges", "examples/exercises", "assay/template"])
def test_challenges_know_one_module_of_the_grader_and_their_sandbox_none(package: str) -> None:
    """So that everything else can be moved without a new version of a challenge, which would have to be proven anew."""
    paths = [path for path in (ROOT / package).rglob("*.py") if "cheats" not in path.parts]
    assert paths
    for path in paths:
        known = set() if "sandbox" in path.parts else {"grader.authoring"}
        ours = {name for name in imported_by(path) if name.partition(".")[0] in OURS}
        assert ours <= known, path


def test_what_challenges_may_import_is_what_they_or_the_docs_do() -> None:
    """Of what no exercise of ours needs, such as random results, a page of docs/values shows the use."""
    paths = [path for folder in ("challenges", "examples/exercises") for path in (ROOT / folder).rglob("*.py")]
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "values").glob("*.md"))
    used = {
        alias.name
        for source in (*(path.read_text(encoding="utf-8") for path in paths), *PYTHON.findall(pages))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module == "grader.authoring"
        for alias in node.names
    }
    assert used == set(authoring.__all__)
