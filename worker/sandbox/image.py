"""Lays out the root of the container image but for our own code: the tree that a zygote's child sees, and a Python.

Run while the image is built: `python -m worker.sandbox.image DESTINATION`. No shell, no /etc/passwd. Knows nothing that
changes often, so that Docker need not do this again for each change of ours.
"""

import os
import shutil
import sys
from pathlib import Path

from worker.sandbox.allowed_packages import standard_tree
from worker.sandbox.build_variables import DESCRIBED, without_paths
from worker.sandbox.layout import LAYOUT, PYTHON, TMP, Piece

_LOADER_CACHE = Path("/etc/ld.so.cache")
_LOADER_LINKS = ("/lib", "/lib64")  # links into /usr on a merged system, where every program looks for its loader
_MOUNT_POINTS = ("/proc", "/sys", "/dev", "/etc")


def lay_out(destination: Path) -> None:
    """Copies everything that a submission may read, below `destination`."""
    tree = standard_tree()
    for link in filter(os.path.islink, _LOADER_LINKS):
        _under(destination, link).symlink_to(os.readlink(link))  # noqa: PTH115  the target as it is written
    for piece in {_beyond_links(piece) for piece in (*tree.libraries, *tree.packages)}:
        _copy(Path(piece.source), _under(destination, piece.target))
    for hidden in tree.hidden:
        shutil.rmtree(_under(destination, hidden), ignore_errors=True)
    for folder in tree.folders:
        _forget_where_it_was_built(_under(destination, folder))
    for point in (TMP, *_MOUNT_POINTS):
        _under(destination, point).mkdir(exist_ok=True)
    _under(destination, TMP).chmod(0o1777)  # what is mounted there takes it over
    _copy(Path(sys.executable).resolve(), _under(destination, PYTHON))
    if _LOADER_CACHE.is_file():
        _copy(_LOADER_CACHE, _under(destination, _LOADER_CACHE))
    _under(destination, LAYOUT).write_text(tree.in_place().to_json())


def _forget_where_it_was_built(folder: Path) -> None:
    for described in folder.glob(DESCRIBED):
        described.write_text(without_paths(described))
        for compiled in folder.glob(f"__pycache__/{described.stem}.*"):
            compiled.unlink()


def _beyond_links(piece: Piece) -> Piece:
    """What stays where it is may be reached by a link, which the image has too."""
    if piece.source != piece.target:
        return piece
    resolved = str(Path(piece.source).resolve())
    return Piece(resolved, resolved)


def _copy(source: Path, target: Path) -> None:
    """Links inside are kept as they are."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)


def _under(destination: Path, path: Path | str) -> Path:
    return destination / str(path).removeprefix("/")


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
