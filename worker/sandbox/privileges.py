"""Giving up what a process may do: user, capabilities, new privileges."""

import os

from worker.sandbox import syscalls

NOBODY = 65534
_SECUREBITS_ALL_LOCKED = 0xEF  # no root magic, no ambient raise; keep-caps off; each locked


def become_nobody() -> None:
    """Becomes nobody: the kernel does not count the processes of uid 0 against RLIMIT_NPROC."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def forbid_new_privileges() -> None:
    """Keeps this process and its children from ever gaining any, by a set-uid program for one."""
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)


def become(user: int) -> None:
    """Becomes this user, for good and without any capability. Only root can, also in a container."""
    _close_the_way_back()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    syscalls.clear_capabilities()


def drop_capabilities() -> None:
    """Empties every set, the bounding set included, so that nothing can bring one back."""
    _close_the_way_back()
    syscalls.clear_capabilities()


def _close_the_way_back() -> None:
    pr_cap_ambient_clear_all = 4
    syscalls.prctl(syscalls.PR_CAP_AMBIENT, pr_cap_ambient_clear_all)
    capability = 0
    while syscalls.drop_from_bounding_set(capability):
        capability += 1
    syscalls.prctl(syscalls.PR_SET_SECUREBITS, _SECUREBITS_ALL_LOCKED)


def hide_from_others() -> None:
    """Keeps processes of the same user from looking into this one."""
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
