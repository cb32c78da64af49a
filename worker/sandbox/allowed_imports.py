"""What a child can import and what of ours is in its memory: settled before any submission is read. Knows no torch."""

import os
import sys
from pathlib import Path

from grader.guest.loading import MemoryFinder
from worker.sandbox.layout import Tree

# Packages of ours that a child may find in its memory. Anything else of ours there is a leak, and no child is made.
GUEST_PACKAGES = ("grader.guest", "worker.sandbox")
_OURS = ("grader", "worker", "transport", "app", "assay", "engine", "challenges")


def seal_imports(tree: Tree) -> None:
    """Lets modules come from the tree's standard library and its packages alone, from now on.

    Raises RuntimeError when something is in memory that a submission must not see or share.
    """
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, MemoryFinder)]  # of the warm-up
    _refuse_leaks()
    stdlib = [path for path in sys.path if path not in tree.import_path and Path(path).is_dir()]
    inside = [path for path in stdlib if any(path.startswith(folder) for folder in tree.folders)]
    sys.path[:] = [*inside, *tree.import_path]
    sys.path_importer_cache.clear()
    sys.argv[:] = [""]
    sys.orig_argv.clear()


def _refuse_leaks() -> None:
    """One thread, or a child may hang on a lost lock; no memory shared with children; no module too many."""
    threads = os.listdir("/proc/self/task")  # noqa: PTH208  names are all that is wanted
    if len(threads) != 1:
        raise RuntimeError(f"there must be one thread, and there are {len(threads)}")
    ours = {name for name in sys.modules if name.partition(".")[0] in _OURS}
    leaked = {name for name in ours if not _is_the_guests(name)}
    if leaked:
        raise RuntimeError(f"modules that a submission must not see: {', '.join(sorted(leaked))}")
    for line in Path("/proc/self/maps").read_text().splitlines():
        _, mode, *_ = line.split(None, 2)
        if mode.endswith("s") and "w" in mode:
            raise RuntimeError(f"writable memory that children would share: {line}")


def _is_the_guests(name: str) -> bool:
    """A guest's package, what is in it, or the package around it, which holds no code."""
    return any(f"{name}.".startswith(f"{package}.") or package.startswith(f"{name}.") for package in GUEST_PACKAGES)
