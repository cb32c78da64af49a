"""Confines a process that runs authors' code before anybody has looked at it."""

import os
from pathlib import Path
from typing import Final

from grader.repository_addresses import RepositoryError
from worker.sandbox import landlock, namespaces, syscalls

SYSTEM: Final = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/proc/cpuinfo", "/proc/meminfo", "/dev/urandom")


def confine(readable: tuple[str, ...], writable: str) -> None:
    """Takes away, for good: the network, starting programs, reading what is not named, writing but in one folder.
    Raises RepositoryError where this machine cannot do that.
    """
    abi = landlock.supported_abi()
    if abi == 0:
        raise RepositoryError("this kernel has no Landlock, so authors' code cannot be confined here")
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    try:
        namespaces.enter(syscalls.CLONE_NEWUSER | syscalls.CLONE_NEWNET, proc)
    except OSError as error:
        raise RepositoryError(f"a process cannot be taken off the network here: {error.strerror}") from error
    finally:
        os.close(proc)
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(abi, tuple(path for path in (*SYSTEM, *readable) if Path(path).exists()), writable=writable)
