"""What a child can import and what of ours is in its memory: settled before any submission is read. Knows no torch."""

import os
import sys
from pathlib import Path

from grader.loading import MemoryFinder
from worker.sandbox.layout import Tree

# Modules of ours that a child may find in its memory. Anything else of ours there is a leak, and no child is made.
_OURS = ("grader", "worker", "app", "assay", "engine", "challenges")
GUEST_MODULES = frozenset(
    (
        "grader",
        "grader.binding",
        "grader.callgraph",
        "grader.execution",
        "grader.hiding",
        "grader.imports",
        "grader.inspection",
        "grader.landmarks",
        "grader.limits",
        "grader.loading",
        "grader.observe",
        "grader.order",
        "grader.perform",
        "grader.signatures",
        "grader.source",
        "grader.steps",
        "grader.structure",
        "grader.submission",
    )
)


def seal_imports(tree: Tree) -> None:
    """From now on modules come from the tree's standard library and its packages alone.

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
    leaked = {name for name in ours - GUEST_MODULES if not _is_of_the_sandbox(name)}
    if leaked:
        raise RuntimeError(f"modules that a submission must not see: {', '.join(sorted(leaked))}")
    for line in Path("/proc/self/maps").read_text().splitlines():
        _, mode, *_ = line.split(None, 2)
        if mode.endswith("s") and "w" in mode:
            raise RuntimeError(f"writable memory that children would share: {line}")


def _is_of_the_sandbox(name: str) -> bool:
    return name in ("worker", "worker.sandbox") or name.startswith("worker.sandbox.")
