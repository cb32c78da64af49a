"""The read-only tree that a submission sees: standard library, allowed packages, system libraries, two devices.

No interpreter binary, no /proc, no /etc, no project code: what has to run is in memory already.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from worker.sandbox import syscalls
from worker.sandbox.gpu import OWN_PROC, PROC, THREADS, GpuBindings
from worker.sandbox.layout import TMP, Piece, Tree

DEVICES = ("null", "urandom")  # not zero: whoever may write there gets shared memory
_SEALED = syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID | syscalls.MOUNT_ATTR_NODEV
_SEALED_DEVICE = syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID | syscalls.MOUNT_ATTR_NOEXEC


def enter_root(tree: Tree, at: str, gpu: GpuBindings | None = None) -> None:
    """Builds the tree at the folder `at` from what this process can read now, and makes it the root.

    Needs a mount namespace of our own.
    """
    build_tree(tree, at)
    for device in DEVICES:
        bind(_as_it_lies(f"/dev/{device}"), at, _SEALED_DEVICE)
    if gpu is not None:
        _bind_gpu(gpu, at)
    syscalls.pivot_root(at)
    flags = syscalls.MS_REMOUNT | syscalls.MS_BIND | syscalls.MS_RDONLY | syscalls.MS_NOSUID | syscalls.MS_NODEV
    syscalls.mount("none", "/", None, flags)


def build_tree(tree: Tree, at: str) -> None:
    """Mounts a tmpfs with the libraries and packages bound into it. `at` must have none of them below it."""
    syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    syscalls.mount("sandbox", at, "tmpfs", syscalls.MS_NOSUID | syscalls.MS_NODEV, "size=1m,nr_inodes=4k,mode=755")
    for library in tree.libraries:
        bind(library, at)
    hidden = [at + folder for folder in tree.hidden if Path(at + folder).is_dir()]
    for folder in hidden:
        syscalls.mount("empty", folder, "tmpfs", syscalls.MS_NOSUID | syscalls.MS_NODEV, "size=1m,mode=755")
    for package in tree.packages:
        bind(package, at)
    for folder in hidden:
        syscalls.seal_mount(folder, _SEALED)
    Path(at + TMP).mkdir()


def mount_tmp(size_bytes: int) -> None:
    """Mounts a private, small folder for one child's temporary files; it becomes the current one."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("tmp", TMP, "tmpfs", flags, f"size={size_bytes},nr_inodes=256,mode=1777")
    os.chdir(TMP)


def mount_own_proc(files: Mapping[str, str]) -> None:
    """Mounts what a driver reads and writes about its own process: names of threads, and how it stood at its start."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("proc", OWN_PROC, "tmpfs", flags, "size=1m,nr_inodes=1k,mode=755")
    own = Path(OWN_PROC)
    for name, text in files.items():
        (own / name).write_text(text)
    for thread in range(1, THREADS + 1):
        folder = own / "task" / str(thread)
        folder.mkdir(parents=True)
        (folder / "comm").touch()


def _bind_gpu(gpu: GpuBindings, root: str) -> None:
    """No procfs: a folder that is called so, which cannot be listed, with what is bound into it by name."""
    for device in gpu.devices:
        bind(_as_it_lies(device), root, _SEALED_DEVICE)
    for path in (*gpu.readable, *filter(None, [gpu.library_folder])):
        bind(_as_it_lies(path), root)
    Path(root + OWN_PROC).mkdir(parents=True)
    (Path(root + PROC) / "1").symlink_to("self")  # every child is process 1 of its namespace
    (Path(root + PROC) / "thread-self").symlink_to("self/task/1")
    Path(root + PROC).chmod(0o111)


def _as_it_lies(path: str) -> Piece:
    return Piece(path, path)


def bind(piece: Piece, root: str, attributes: int = _SEALED) -> None:
    """Binds a piece, read-only from the start, so that nothing below can write into the machine's own folders."""
    target = Path(root + piece.target)
    if Path(piece.source).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.touch()
    syscalls.mount(piece.source, str(target), None, syscalls.MS_BIND | syscalls.MS_REC)
    syscalls.seal_mount(str(target), attributes)
