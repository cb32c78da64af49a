"""The read-only tree that a submission sees: standard library, allowed packages, system libraries, two devices.

No interpreter binary, no /proc, no /etc, no project code: what has to run is in memory already.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worker.sandbox import syscalls
from worker.sandbox.gpu import OWN_PROC, PROC, THREADS, Gpu

DEVICES = ("null", "urandom")  # not zero: whoever may write there gets shared memory
_MOUNT_POINTS = ("/mnt", "/media", "/srv", "/opt", "/home", "/run", "/var", "/tmp")  # noqa: S108  a mount point
_SEALED = syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID | syscalls.MOUNT_ATTR_NODEV
_SEALED_DEVICE = syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID | syscalls.MOUNT_ATTR_NOEXEC


@dataclass(frozen=True)
class Tree:
    """Absolute paths. `folders` are bound whole; `hidden`, inside them, become empty; then `packages` are bound."""

    folders: tuple[str, ...]
    hidden: tuple[str, ...]
    packages: tuple[str, ...]
    tmp: str  # a fresh, small tmpfs for each child


def tree_from(data: dict[str, Any]) -> Tree:
    """What `asdict` made of a tree, after a journey as JSON."""
    folders, hidden, packages = (tuple(data[name]) for name in ("folders", "hidden", "packages"))
    return Tree(folders, hidden, packages, data["tmp"])


def enter_root(tree: Tree, gpu: Gpu | None = None) -> None:
    """Build the tree from what this process can read now, and make it the root. Needs a mount namespace of our own."""
    syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    root = _mount_point(tree)
    syscalls.mount("sandbox", root, "tmpfs", syscalls.MS_NOSUID | syscalls.MS_NODEV, "size=1m,nr_inodes=4k,mode=755")
    for folder in tree.folders:
        _bind(folder, root)
    hidden = [root + folder for folder in tree.hidden if Path(root + folder).is_dir()]
    for folder in hidden:
        syscalls.mount("empty", folder, "tmpfs", syscalls.MS_NOSUID | syscalls.MS_NODEV, "size=1m,mode=755")
    for package in tree.packages:
        _bind(package, root)
    for device in DEVICES:
        _bind(f"/dev/{device}", root, _SEALED_DEVICE)
    if gpu is not None:
        _bind_gpu(gpu, root)
    for folder in hidden:
        syscalls.seal_mount(folder, _SEALED)
    Path(root + tree.tmp).mkdir()
    syscalls.pivot_root(root)
    flags = syscalls.MS_REMOUNT | syscalls.MS_BIND | syscalls.MS_RDONLY | syscalls.MS_NOSUID | syscalls.MS_NODEV
    syscalls.mount("none", "/", None, flags)


def mount_tmp(path: str, size_bytes: int) -> None:
    """A private, small folder for one child's temporary files; it becomes the current one."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("tmp", path, "tmpfs", flags, f"size={size_bytes},nr_inodes=256,mode=1777")
    os.chdir(path)


def mount_own_proc(status: str) -> None:
    """What a driver reads and writes about its own process: names of threads, and how it stood at its start."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("proc", OWN_PROC, "tmpfs", flags, "size=64k,nr_inodes=1k,mode=755")
    own = Path(OWN_PROC)
    (own / "status").write_text(status)
    for thread in range(1, THREADS + 1):
        folder = own / "task" / str(thread)
        folder.mkdir(parents=True)
        (folder / "comm").touch()


def _bind_gpu(gpu: Gpu, root: str) -> None:
    """No procfs: a folder that is called so, which cannot be listed, with what is bound into it by name."""
    for device in gpu.devices:
        _bind(device, root, _SEALED_DEVICE)
    for path in (*gpu.readable, *filter(None, [gpu.library_folder])):
        _bind(path, root)
    Path(root + OWN_PROC).mkdir(parents=True)
    (Path(root + PROC) / "1").symlink_to("self")  # every child is process 1 of its namespace
    (Path(root + PROC) / "thread-self").symlink_to("self/task/1")
    Path(root + PROC).chmod(0o111)


def _mount_point(tree: Tree) -> str:
    sources = [Path(source) for source in (*tree.folders, *tree.packages)]
    for candidate in map(Path, _MOUNT_POINTS):
        if candidate.is_dir() and not any(source.is_relative_to(candidate.resolve()) for source in sources):
            return str(candidate)
    raise OSError(f"no folder to build the sandbox's root on: each of {', '.join(_MOUNT_POINTS)} is missing or in use")


def _bind(source: str, root: str, attributes: int = _SEALED) -> None:
    """Read-only from the start, so that nothing below can write into the machine's own folders."""
    target = Path(root + source)
    if Path(source).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.touch()
    syscalls.mount(source, str(target), None, syscalls.MS_BIND | syscalls.MS_REC)
    syscalls.seal_mount(str(target), attributes)
