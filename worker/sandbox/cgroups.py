"""Memory and process limits by the kernel's control groups, where this user may make some.

They count what resource limits do not: page tables, files in memory, everything of a child together. One group for each
child and controller, made before the child has read its job, removed when it is gone. Version 1 and 2 of the interface.
"""

import os
import threading
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader.guest.limits import Limits

MOUNT = Path("/sys/fs/cgroup")
# A child's own page tables, stacks and buffers, beside what the submission may hold.
_SLACK_BYTES = 64 << 20
_OURS = "assay-"
# Version 2 tells who was refused by the limit; version 1 only who was killed, also when the whole machine is full.
_FILLED = (("memory.events", "oom"), ("memory.oom_control", "oom_kill"))


class CgroupError(Exception):
    """No groups can be made here; the message says why."""


@dataclass(frozen=True)
class _Controller:
    """A folder in which groups are made, and the files that set a limit there."""

    parent: Path
    memory_file: str = ""
    pids_file: str = ""


@dataclass
class Cgroups:
    """Makes control groups for each child, and removes them. Get it from `open_cgroups`."""

    controllers: tuple[_Controller, ...]
    _left_over: list[Path] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enclose(self, pid: int, limits: Limits) -> tuple[Path, ...]:
        """Puts a process into groups of its own. Raises CgroupError, and then leaves none behind."""
        groups: list[Path] = []
        try:
            for controller in self.controllers:
                group = controller.parent / f"child-{uuid.uuid4().hex}"
                group.mkdir()
                groups.append(group)
                if controller.memory_file:
                    room = limits.memory_bytes + limits.tmp_bytes + _SLACK_BYTES
                    (group / controller.memory_file).write_text(str(room))
                if controller.pids_file:
                    (group / controller.pids_file).write_text(str(limits.processes))
                (group / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            self.release(tuple(groups))
            raise CgroupError(f"a control group could not be made: {error}") from error
        return tuple(groups)

    def was_filled(self, groups: tuple[Path, ...]) -> bool:
        """Whether a process there has wanted more memory than its group may hold."""
        return any(_count_of_filled(group) for group in groups)

    def release(self, groups: tuple[Path, ...]) -> None:
        """Removes groups. One whose process is not gone yet is tried again with the next."""
        with self._lock:
            self._left_over = [group for group in (*self._left_over, *groups) if not _is_removed(group)]

    def close(self) -> None:
        """Removes what is left, our own parents too."""
        self.release(())
        for controller in self.controllers:
            _is_removed(controller.parent)


def open_cgroups() -> Cgroups:
    """Makes the groups that children's groups lie in. Raises CgroupError, with the reason, where it cannot."""
    name = f"{_OURS}{os.getpid()}"
    try:
        if (MOUNT / "cgroup.controllers").exists():
            controllers: tuple[_Controller, ...] = (_open_unified(name),)
        else:
            memory, pids = MOUNT / "memory" / name, MOUNT / "pids" / name
            controllers = (
                _Controller(memory, memory_file="memory.limit_in_bytes"),
                _Controller(pids, pids_file="pids.max"),
            )
            for controller in controllers:
                _remove_stale(controller.parent.parent)
                controller.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise CgroupError(f"{error.strerror or error}: {error.filename or MOUNT}") from error
    return Cgroups(controllers)


def _open_unified(name: str) -> _Controller:
    """Version 2: one tree; a group that has children with limits may hold no process itself."""
    (MOUNT / "cgroup.subtree_control").write_text("+memory +pids")
    _remove_stale(MOUNT)
    parent = MOUNT / name
    parent.mkdir(exist_ok=True)
    (parent / "cgroup.subtree_control").write_text("+memory +pids")
    return _Controller(parent, memory_file="memory.max", pids_file="pids.max")


def _remove_stale(folder: Path) -> None:
    """Removes the groups of a runner that was killed."""
    for parent in folder.glob(f"{_OURS}*"):
        if not Path(f"/proc/{parent.name.removeprefix(_OURS)}").exists():
            with suppress(FileNotFoundError):  # another runner that starts now was faster
                for group in parent.glob("child-*"):
                    _is_removed(group)
            _is_removed(parent)


def pid_of(pidfd: int) -> int:
    """Looks up the process that a pidfd stands for, as this one numbers it. Raises CgroupError when it is gone."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            pid = int(line.split()[1])
            if pid > 0:
                return pid
    raise CgroupError("the child is gone")


def _count_of_filled(group: Path) -> int:
    for name, counter in _FILLED:
        try:
            counters = dict(line.split() for line in (group / name).read_text().splitlines())
        except OSError:  # the other version, or not the controller of memory
            continue
        return int(counters.get(counter, 0))
    return 0


def _is_removed(group: Path) -> bool:
    try:
        group.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
