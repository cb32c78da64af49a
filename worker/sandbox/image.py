"""Lays out the root of the container image but for our own code: the tree that a zygote's child sees, and a Python.

Run while the image is built: `python -m worker.sandbox.image DESTINATION`. No shell, no /etc/passwd. Knows nothing that
changes often, so that Docker need not do this again for each change of ours.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from worker.sandbox.layout import LAYOUT, PYTHON, Layout
from worker.sandbox.packages import package_folders, standard_tree

_LOADER_CACHE = Path("/etc/ld.so.cache")
_LOADER_LINKS = ("/lib", "/lib64")  # links into /usr on a merged system, where every program looks for its loader
_MOUNT_POINTS = ("/proc", "/sys", "/dev", "/etc")


def lay_out(destination: Path) -> None:
    """Everything that a submission may read, below `destination`."""
    tree = standard_tree()
    for link in filter(os.path.islink, _LOADER_LINKS):
        _under(destination, link).symlink_to(os.readlink(link))  # noqa: PTH115  the target as it is written
    for folder in {Path(folder).resolve() for folder in tree.folders}:
        _copy(folder, destination, leave_out=tree.hidden)
    for package in tree.packages:
        _copy(Path(package), destination)
    for point in (tree.tmp, *_MOUNT_POINTS):
        _under(destination, point).mkdir(exist_ok=True)
    _under(destination, tree.tmp).chmod(0o1777)  # what is mounted there takes it over
    _copy_interpreter(destination)
    _under(destination, LAYOUT).write_text(Layout(tree, package_folders(tree)).to_json())


def _copy_interpreter(destination: Path) -> None:
    interpreter = Path(sys.executable).resolve()
    _copy(interpreter, destination)
    library = Path(str(sysconfig.get_config_var("LIBDIR")), str(sysconfig.get_config_var("INSTSONAME")))
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and library.is_file():
        _copy(library, destination)
    if _LOADER_CACHE.is_file():
        _copy(_LOADER_CACHE, destination)
    _under(destination, PYTHON.parent).mkdir()
    _under(destination, PYTHON).symlink_to(interpreter)


def _copy(source: Path, destination: Path, leave_out: tuple[str, ...] = ()) -> None:
    """Links are kept as they are."""
    target = _under(destination, source)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not source.is_dir():
        shutil.copy2(source, target)
        return

    def ignore(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if f"{folder}/{name}" in leave_out]

    shutil.copytree(source, target, symlinks=True, ignore=ignore, dirs_exist_ok=True)


def _under(destination: Path, path: Path | str) -> Path:
    return destination / str(path).removeprefix("/")


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
