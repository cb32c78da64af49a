"""The direction of imports, and what must stay light. ARCHITECTURE.md says why."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def imported_modules(package: str) -> set[str]:
    found: set[str] = set()
    for path in (ROOT / package).rglob("*.py"):
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


def test_the_client_knows_the_report_and_nothing_else_of_the_grader() -> None:
    known = {module for module in imported_modules("engine") if module.partition(".")[0] == "grader"}
    assert known <= {"grader.report"}


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("app.main", {"torch", "numpy", "safetensors", "worker"}),
        ("app.recorder", {"torch", "numpy", "safetensors", "worker", "fastapi"}),
        ("assay.accounts", {"torch", "fastapi"}),
        ("engine.cli", {"torch", "httpx", "rich", "pydantic", "fastapi", "celery", "sqlalchemy"}),
        ("worker.runner", {"torch", "redis", "celery", "sqlalchemy", "grader.exercise", "grader.grade"}),
        ("grader.report", {"torch", "fastapi"}),
        ("grader.alive", {"torch", "pydantic", "celery", "redis", "click", "asyncio"}),
        ("grader.questions", {"torch"}),
    ],
)
def test_importing_it_does_not_load(module: str, heavy: set[str]) -> None:
    script = f"import sys, {module}; print(*(name for name in sys.modules if name in {heavy!r}))"
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.split() == []


def test_challenges_hold_no_framework_code() -> None:
    known = {"grader.combinations", "grader.execution", "grader.flaw", "grader.paper"}
    ours = {"app", "worker", "engine", "assay", "grader"}
    for path in (path for name in ("cases.py", "space.py") for path in (ROOT / "challenges").rglob(name)):
        modules = {
            node.module
            for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ours
        }
        assert modules <= known
