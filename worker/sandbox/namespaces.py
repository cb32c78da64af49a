"""New namespaces for the zygote (once) and for each child (all seven, every time), and their id maps."""

import os
import signal

from worker.sandbox import syscalls

INSIDE_ID = 1000
HOSTNAME = "sandbox"
ALL = (
    syscalls.CLONE_NEWUSER
    | syscalls.CLONE_NEWPID
    | syscalls.CLONE_NEWNS
    | syscalls.CLONE_NEWNET
    | syscalls.CLONE_NEWIPC
    | syscalls.CLONE_NEWUTS
    | syscalls.CLONE_NEWCGROUP
)


def enter_all(proc_fd: int) -> None:
    """Moves the calling process into namespaces of its own; its next child is the first in the new pid namespace."""
    enter(ALL, proc_fd)


def enter(namespaces: int, proc_fd: int) -> None:
    """Moves the calling process into new namespaces of these kinds, users among them, and maps its ids."""
    uid, gid = os.getuid(), os.getgid()
    syscalls.unshare(namespaces)
    _map_ids(proc_fd, uid, gid)


def fork_into_new() -> tuple[int, int]:
    """Forks. Returns (pid, pidfd) in the parent, (0, -1) in the child, which is then pid 1 of seven new namespaces."""
    return syscalls.clone_process(ALL, signal.SIGCHLD)


def settle(proc_fd: int) -> None:
    """Takes a child's first step: to die with the zygote, map its ids, and be the first to go when memory is short."""
    die_with_parent()
    _map_ids(proc_fd, INSIDE_ID, INSIDE_ID, "1000")
    syscalls.set_hostname(HOSTNAME)


def die_with_parent() -> None:
    """Has the kernel kill this process with its parent. It forgets that at every change of user or capabilities."""
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)


def _map_ids(proc_fd: int, uid: int, gid: int, oom_score_adj: str | None = None) -> None:
    """One id only. The files of /proc/self belong to us only while we are dumpable."""
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)
    _write_proc(proc_fd, "setgroups", "deny")
    _write_proc(proc_fd, "uid_map", f"{INSIDE_ID} {uid} 1")
    _write_proc(proc_fd, "gid_map", f"{INSIDE_ID} {gid} 1")
    if oom_score_adj is not None:
        _write_proc(proc_fd, "oom_score_adj", oom_score_adj)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)


def read_proc(proc_fd: int, name: str) -> str:
    """Reads one file of /proc/self through a descriptor of /proc, which need not be mounted any more."""
    with os.fdopen(os.open(f"self/{name}", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc_fd)) as file:
        return file.read()


def _write_proc(proc_fd: int, name: str, text: str) -> None:
    """Write one file of /proc/self through a descriptor of /proc, which need not be mounted any more."""
    fd = os.open(f"self/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc_fd)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
