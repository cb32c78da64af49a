"""Copies the guest's own packages for the container image: `python -m worker.sandbox.guest_code FOLDER`."""

import compileall
import shutil
import sys
from pathlib import Path

import worker
from worker.sandbox.allowed_imports import GUEST_PACKAGES


def copy_guest(destination: Path) -> None:
    """A submission can read what is here, so nothing of the judge's is."""
    site = Path(worker.__file__).parents[1]
    for package in GUEST_PACKAGES:
        folder = site / package.replace(".", "/")
        for source in (folder.parent / "__init__.py", *folder.glob("*.py")):
            target = destination / source.relative_to(site)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    compileall.compile_dir(destination, quiet=1, stripdir=str(destination))


if __name__ == "__main__":
    copy_guest(Path(sys.argv[1]))
