"""The zip that Gradescope unpacks: two scripts, what grading needs of ours, one exercise, and the list of packages.

Whoever holds it holds the exercise's answers. Same source, same bytes.
"""

import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grader
from assay.errors import AssayError
from grader.challenge import Challenge

_PROJECT = Path(grader.__file__).parents[1]
_SCRIPTS = Path(__file__).with_name("files")
_PACKAGES = ("grader", "worker", "engine", "assay")
_NOT_FOR_GRADING = ("assay/template",)
# What is installed, and the program that installs it by the lock's hashes.
_INSTALLED_BY = ("pyproject.toml", "requirements.lock", "deploy/dependencies.py", "deploy/install.py")
_FILE, _PROGRAM = 0o644, 0o755
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip knows


@dataclass(frozen=True)
class Entry:
    """One file of the zip."""

    name: str
    content: bytes
    mode: int = _FILE


def write_archive(challenge: Challenge, output: Path, extra_index: str | None = None) -> None:
    """Writes the zip. Raises AssayError when this installation has not all that goes into it."""
    entries = [*_scripts(), *_installer(extra_index), *_code(), *_exercise(challenge)]
    with zipfile.ZipFile(output, "x", zipfile.ZIP_DEFLATED) as archive:
        for entry in entries:
            described = zipfile.ZipInfo(entry.name, _LONG_AGO)
            described.external_attr = (stat.S_IFREG | entry.mode) << 16
            archive.writestr(described, entry.content, zipfile.ZIP_DEFLATED)


def _scripts() -> Iterator[Entry]:
    for name in ("setup.sh", "run_autograder"):
        yield Entry(name, (_SCRIPTS / name).read_bytes(), _PROGRAM)


def _installer(extra_index: str | None) -> Iterator[Entry]:
    for name in _INSTALLED_BY:
        source = _PROJECT / name
        if not source.is_file():
            raise AssayError(f"{name} is not beside this installation.", "Run this in a checkout of the project.")
        yield Entry(f"install/{name}", source.read_bytes())
    if extra_index is not None:
        yield Entry("install/pip.conf", f"[global]\nextra-index-url = {extra_index}\n".encode())


def _code() -> Iterator[Entry]:
    for package in _PACKAGES:
        for path in _files(_PROJECT / package):
            name = path.relative_to(_PROJECT).as_posix()
            if path.suffix == ".py" and not name.startswith(_NOT_FOR_GRADING):
                yield Entry(f"code/{name}", path.read_bytes())


def _exercise(challenge: Challenge) -> Iterator[Entry]:
    """With the one that it extends, if any."""
    yield Entry("challenge", f"{challenge.slug}\n".encode())
    yield Entry("code/challenges/__init__.py", b"")
    for folder in challenge.folders:
        for path in _files(folder):
            yield Entry(f"code/challenges/{path.relative_to(folder.parent).as_posix()}", path.read_bytes())


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
