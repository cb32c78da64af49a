"""Builds the wheel that students install: `engine`, the report it reads, the check of a file, and nothing else of ours.

python scripts/client_wheel.py [FOLDER]        writes FOLDER/assay-<version>+client-py3-none-any.whl; dist unless told
                                               and assay-client.cdx.json beside it: what pip installs with it

The whole project's wheel would hand them the exercises with their references and questions.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The build backend that is installed, of requirements.lock: a build fetches nothing.
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
# Is a file gradable?
CHECK = (
    "__init__",
    "definitions",
    "gradable",
    "imports",
    "inspection",
    "needed",
    "notebook",
    "order",
    "signatures",
    "submission",
)
BESIDE_ENGINE = (
    "grader/__init__.py",
    "grader/efficiency_report.py",
    "grader/line_diff.py",
    "grader/notebook.py",
    "grader/report.py",
    "grader/report_part.py",
    *(f"grader/guest/{name}.py" for name in CHECK),
    "LICENSE",
    "README.md",
)


def stage(folder: Path) -> None:
    """The client as a project of its own."""
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE_ENGINE:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "pyproject.toml").write_text(_pyproject(), encoding="utf-8")


def _pyproject() -> str:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = {key: value for key, value in whole["project"].items() if isinstance(value, str | list)}
    project["version"] += "+client"
    tables = {
        "build-system": whole["build-system"],
        "project": project,
        "project.scripts": {"engine": whole["project"]["scripts"]["engine"]},
        "tool.setuptools.packages.find": {"include": ["engine*", "grader*"]},
    }
    return "\n".join(line for name, table in tables.items() for line in (f"[{name}]", *_entries(table)))


def _entries(table: dict[str, object]) -> list[str]:
    """Strings and lists of strings are written alike in JSON and in TOML."""
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]


def main() -> None:
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "dist").absolute()
    with tempfile.TemporaryDirectory() as name:
        stage(Path(name))
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-c", BUILD, str(target)], cwd=name, check=True, stdout=subprocess.DEVNULL)
    bill = [sys.executable, str(ROOT / "deploy" / "sbom.py"), "assay-client", str(target / "assay-client.cdx.json")]
    subprocess.run(bill, check=True)
    print(*sorted(target.glob("assay-*+client-*.whl")))


if __name__ == "__main__":
    main()
