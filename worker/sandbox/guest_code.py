"""Copies the guest's own modules for the container image: `python -m worker.sandbox.guest_code FOLDER`."""

import compileall
import shutil
import sys
from pathlib import Path

import worker
from worker.sandbox.imports import GUEST_MODULES


def copy_guest(destination: Path) -> None:
    """A submission can read what is here, so nothing of the judge's is."""
    site = Path(worker.__file__).parents[1]
    modules = [_source_of(site / name.replace(".", "/")) for name in GUEST_MODULES]
    for source in (*modules, Path(worker.__file__), *(site / "worker" / "sandbox").glob("*.py")):
        target = destination / source.relative_to(site)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    compileall.compile_dir(destination, quiet=1, stripdir=str(destination))


def _source_of(path: Path) -> Path:
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


if __name__ == "__main__":
    copy_guest(Path(sys.argv[1]))
