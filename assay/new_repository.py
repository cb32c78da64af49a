"""A repository of exercises from the template: what an author needs besides the exercises, ready for git."""

import json
import subprocess
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from assay.new_challenge import Names, write_challenge

TEMPLATE: Final = Path(str(files("assay") / "repository"))
EXERCISES: Final = "exercises"


def write_repository(names: Names, folder: Path) -> Path:
    """Writes what is missing in `folder`, with the exercise in it; what is there stays as it is. Returns the exercise's
    folder. Raises FileExistsError where there is an exercise of that name.
    """
    exercise = write_challenge(names, folder / EXERCISES)
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file():
            _write_new(folder / path.relative_to(TEMPLATE), names.put_into(path.read_text(encoding="utf-8")))
    _write_new(folder / "requirements.txt", _requirements())
    if not _is_in_git(folder):
        subprocess.run(["git", "init", "--quiet", "--initial-branch", "main", str(folder)], check=True)
    return exercise


def _write_new(path: Path, text: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _is_in_git(folder: Path) -> bool:
    asked = subprocess.run(["git", "rev-parse", "--git-dir"], cwd=folder, capture_output=True, check=False)
    return asked.returncode == 0


def _requirements() -> str:
    """This Assay: the commit it was installed from, where pip knows it, else its version."""
    installed = distribution("assay")
    origin: dict[str, Any] = json.loads(installed.read_text("direct_url.json") or "{}")
    commit = origin.get("vcs_info", {}).get("commit_id")
    line = f"assay[worker] @ git+{origin['url']}@{commit}" if commit else f"assay[worker]=={installed.version}"
    return (
        "# What proves the exercises, here and on pull requests: the same Assay as where they are served.\n"
        "# From a git repository: assay[worker] @ git+https://HOST/assay.git@COMMIT\n"
        f"{line}\n"
    )
