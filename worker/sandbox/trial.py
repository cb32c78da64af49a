"""Tries the layers one by one, each in a child that ends afterwards; prints what happened as JSON. No torch, no zygote.

Run by `worker.isolation` as a program: its argument is a zygote's options.
"""

import json
import os
import sys
from collections.abc import Callable
from functools import partial

from grader.guest.limits import Limits
from worker.sandbox import landlock, launch, namespaces, privileges, rlimits, syscalls
from worker.sandbox.options import Options
from worker.sandbox.root import enter_root

_NAMESPACES = {
    "user namespace": 0,
    "pid namespace": syscalls.CLONE_NEWPID,
    "mount namespace": syscalls.CLONE_NEWNS,
    "network namespace": syscalls.CLONE_NEWNET,
    "ipc namespace": syscalls.CLONE_NEWIPC,
    "uts namespace": syscalls.CLONE_NEWUTS,
    "cgroup namespace": syscalls.CLONE_NEWCGROUP,
}


def main() -> None:
    """Tries every layer and prints, for each, why it failed; empty where it worked."""
    options = Options.from_json(sys.argv[1])
    trials: dict[str, Callable[[], None]] = {name: partial(_unshare, flag) for name, flag in _NAMESPACES.items()}
    trials["read-only root"] = lambda: _enter_root(options)
    trials["no new privileges"] = privileges.forbid_new_privileges
    trials["capabilities dropped"] = _drop_capabilities
    trials["seccomp"] = lambda: _load_filter(options.seccomp)
    trials["landlock"] = _restrict_files
    trials["resource limits"] = lambda: rlimits.apply(Limits(), rlimits.measure_footprint())
    print(json.dumps({name: _in_child(trial) for name, trial in trials.items()}))


def _in_child(trial: Callable[[], None]) -> str:
    """Empty when it worked, else why it did not."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            trial()
        except BaseException as error:  # noqa: BLE001  a trial's child tells its parent, whatever it was, and ends
            os.write(writing, str(error).encode()[:500] or b"it failed")
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        why = told.read().decode(errors="replace")
    _, status = os.waitpid(pid, 0)
    return why or ("" if status == 0 else f"the trial ended with status {status}")


def _unshare(flag: int) -> None:
    if os.getuid() == 0:
        privileges.become_nobody()
    syscalls.unshare(syscalls.CLONE_NEWUSER | flag)


def _enter_root(options: Options) -> None:
    launch.enter_mount_namespace()
    launch.enter_start_root(options)
    enter_root(options.tree.in_place(), launch.NEW_ROOT)


def _drop_capabilities() -> None:
    if os.getuid() == 0:
        privileges.drop_capabilities()
        return
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    namespaces.enter_all(proc)
    privileges.drop_capabilities()


def _load_filter(program: bytes) -> None:
    privileges.forbid_new_privileges()
    syscalls.load_seccomp(program)


def _restrict_files() -> None:
    abi = landlock.supported_abi()
    if not abi:
        raise OSError("this kernel has no Landlock, or it is switched off")
    privileges.forbid_new_privileges()
    landlock.restrict(abi)


if __name__ == "__main__":
    main()
