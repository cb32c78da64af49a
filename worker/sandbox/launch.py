"""Starts a zygote where everything lies at the sandbox's own paths: what it imports there knows none of the machine's.

Makes a root with those paths, in a mount namespace, and runs Python anew in it. Run by the supervisor as a program:
argument 1 is the options as JSON, argument 2 the number of the control socket.
"""

import json
import os
import sys
from pathlib import Path
from typing import NoReturn

import worker
from worker.sandbox import namespaces, privileges, syscalls
from worker.sandbox.build_variables import DESCRIBED, without_paths
from worker.sandbox.layout import CODE, HOME, LIBRARIES, PYTHON, PYTHON_OPTIONS, Piece
from worker.sandbox.options import Options
from worker.sandbox.root import bind, build_tree

NEW_ROOT = f"{HOME}/root"  # empty: there the zygote builds the root that children see
_OURS = ("grader", "worker")
_OF_THE_KERNEL = ("/proc", "/sys", "/dev")
_MOUNT_POINTS = ("/mnt", "/media", "/srv", "/opt", "/home", "/run", "/var", "/tmp")  # noqa: S108  a mount point


def main() -> NoReturn:
    """Becomes a zygote at the sandbox's own paths, or tells the supervisor why not and ends."""
    namespaces.die_with_parent()
    options, control_fd = Options.from_json(sys.argv[1]), int(sys.argv[2])
    try:
        enter_mount_namespace()
        enter_start_root(options)
        namespaces.die_with_parent()
        _run_zygote(options.in_place(), control_fd)
    except OSError as error:
        os.write(control_fd, json.dumps({"error": str(error)}).encode())
        os._exit(1)


def enter_mount_namespace() -> None:
    """Enters a mount namespace, as root where root may mount: nobody may not walk through root's home, where Python may
    live. Root in a container often may not mount, and then everything must be readable for nobody.
    """
    if os.getuid() == 0:
        if may_mount():
            return
        privileges.become_nobody()
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    namespaces.enter(syscalls.CLONE_NEWUSER | syscalls.CLONE_NEWNS, proc)
    os.close(proc)


def may_mount() -> bool:
    """Whether this process is in a mount namespace of its own now."""
    try:
        syscalls.unshare(syscalls.CLONE_NEWNS)
    except PermissionError:
        return False
    return True


def enter_start_root(options: Options) -> None:
    """Enters the tree, with what only a starting zygote needs: a Python, our code, the kernel's own folders."""
    pieces = [Piece(os.path.realpath(sys.executable), PYTHON)]
    project = Path(worker.__file__).resolve().parents[1]
    pieces += [Piece(str(project / name), f"{CODE}/{name}") for name in _OURS]
    if options.gpu is not None and options.gpu.library_folder is not None:
        pieces.append(Piece(options.gpu.library_folder, options.gpu.library_folder))
    at = _mount_point((*options.tree.libraries, *options.tree.packages, *pieces))
    build_tree(options.tree, at)
    for piece in pieces:
        bind(piece, at)
    for folder in _OF_THE_KERNEL:
        bind(Piece(folder, folder), at, syscalls.MOUNT_ATTR_NOSUID)
    for folder in options.tree.folders:
        for described in Path(at + folder).glob(DESCRIBED):
            _forget_where_it_was_built(described, at)
    Path(at + NEW_ROOT).mkdir()
    syscalls.pivot_root(at)


def _run_zygote(options: Options, control_fd: int) -> NoReturn:
    path = [*options.tree.import_path, CODE]
    # Whatever is imported stays; to look for garbage among it takes a tenth of the time. The zygote switches it on.
    program = f"import gc, sys; gc.disable(); sys.path += {path!r}; from worker.sandbox.zygote import main; main()"
    arguments = [PYTHON, *PYTHON_OPTIONS, program, options.to_json(), str(control_fd)]
    os.execve(PYTHON, arguments, _environment())  # noqa: S606  a shell is not wanted


def _environment() -> dict[str, str]:
    """Python's own libraries were found by paths of the machine, or by the loader's list of them."""
    if not any(Path(LIBRARIES).glob("*.so*")):
        return dict(os.environ)
    folders = [LIBRARIES, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(folders)}


def _forget_where_it_was_built(described: Path, at: str) -> None:
    copy = Path(at + HOME, described.name)
    copy.write_text(without_paths(described))
    copy.chmod(0o444)
    bind(Piece(str(copy), str(described).removeprefix(at)), at)


def _mount_point(pieces: tuple[Piece, ...]) -> str:
    """A folder that hides none of them when something is mounted on it."""
    sources = [Path(piece.source) for piece in pieces]
    for candidate in map(Path, _MOUNT_POINTS):
        if candidate.is_dir() and not any(source.is_relative_to(candidate.resolve()) for source in sources):
            return str(candidate)
    raise OSError(f"no folder to build the sandbox's root on: each of {', '.join(_MOUNT_POINTS)} is missing or in use")


if __name__ == "__main__":
    main()
