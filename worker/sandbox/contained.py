"""A child that is a program of its own, until it serves: takes its channels, confines itself like a zygote's child.

A container around it has closed most doors already; these are the same locks as the zygote's, on top. Where there is
none of ours, it closes what it can of them itself: `Jail`. Knows no torch.
"""

import base64
import fcntl
import json
import os
import resource
import shutil
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from grader.guest.limits import Limits
from worker.sandbox import landlock, namespaces, privileges, rlimits, syscalls
from worker.sandbox.allowed_imports import seal_imports
from worker.sandbox.channels import keep_only
from worker.sandbox.environment import GUEST_ENVIRONMENT
from worker.sandbox.framing import Frame
from worker.sandbox.layout import CODE, LAYOUT, LIBRARIES, TMP, Tree
from worker.sandbox.root import DEVICES

BOOTSTRAP = (
    f"import sys; sys.path.append('{CODE}'); from pathlib import Path; from worker.sandbox.layout import Tree; "
    f"sys.path += Tree.from_json(Path('{LAYOUT}').read_text()).import_path; "
    "from worker.sandbox.contained_run import main; main()"
)
_OUT_OF_THE_WAY_FD = 10


def environment(tmp: str) -> dict[str, str]:
    """Tells the whole environment of such a child."""
    return {**GUEST_ENVIRONMENT, "HOME": tmp, "TMPDIR": tmp, "LD_LIBRARY_PATH": LIBRARIES}  # Python's own


@dataclass(frozen=True)
class Jail:
    """What a child without a container of its own goes into: a root, a user whom nobody else is, a folder of theirs."""

    root: str
    user: int
    tmp: str


@dataclass(frozen=True)
class Orders:
    """What the runner tells a child on its command line. Nothing secret: a submission may read it."""

    limits: Limits
    seccomp: bytes
    on_gpu: bool = False
    in_gvisor: bool = False
    jail: Jail | None = None
    imports_ahead: bool = True

    def to_json(self) -> str:
        """Writes the orders as `from_json` reads them."""
        return json.dumps({**asdict(self), "seccomp": base64.b64encode(self.seccomp).decode()})

    @classmethod
    def from_json(cls, text: str) -> "Orders":
        """Reads orders. Trusts the text: it comes from `to_json` in the runner."""
        data: dict[str, Any] = json.loads(text)
        jail = None if data["jail"] is None else Jail(**data["jail"])
        seccomp = base64.b64decode(data["seccomp"])
        return cls(**{**data, "limits": Limits(**data["limits"]), "seccomp": seccomp, "jail": jail})


def confine(orders: Orders) -> Frame:
    """Confines this process for good, after all imports. Returns the frame that says how far."""
    tree = Tree.from_json(Path(LAYOUT).read_text())
    seal_imports(tree)
    _take_channels()
    footprint = rlimits.measure_footprint()
    tmp = TMP if orders.jail is None else orders.jail.tmp
    if orders.jail is not None:
        os.chroot(orders.jail.root)
    _empty(Path(tmp))
    os.chdir(tmp)
    os.umask(0o077)
    used_s = time.process_time()  # torch's import is not the submission's
    limits = replace(orders.limits, cpu_s=orders.limits.cpu_s + used_s)
    _apply_limits(replace(orders, limits=limits), footprint)
    if not orders.on_gpu:
        rlimits.begin_to_tick()
    if orders.jail is not None:
        privileges.become(orders.jail.user)
        namespaces.die_with_parent()
    privileges.forbid_new_privileges()
    if orders.on_gpu:  # its driver wants devices, shared memory and calls that no list here knows
        return Frame("ready", {"landlock_abi": 0})
    abi = landlock.supported_abi()
    if abi:
        landlock.restrict(abi, _readable(tree), writable=tmp)
    syscalls.load_seccomp(orders.seccomp)
    return Frame("ready", {"landlock_abi": abi})


def _apply_limits(orders: Orders, footprint: rlimits.Footprint) -> None:
    """gVisor does not count a process's data, only its addresses, and does not bound message queues, which the filter
    refuses."""
    if orders.on_gpu:
        rlimits.apply(orders.limits, footprint, rlimits.NOT_ON_GPU)
    elif orders.in_gvisor:
        queues = frozenset((resource.RLIMIT_MSGQUEUE,))
        rlimits.apply(orders.limits, footprint, queues, rlimits.NARROW_RESERVED_BYTES)
    else:
        rlimits.apply(orders.limits, footprint)


def _take_channels() -> None:
    """Standard input, output and errors are the job, the results and the log."""
    keep_only(*(fcntl.fcntl(fd, fcntl.F_DUPFD, _OUT_OF_THE_WAY_FD) for fd in (0, 1, 2)))


def _empty(folder: Path) -> None:
    """Removes what libraries have left there while they were imported."""
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _readable(tree: Tree) -> tuple[str, ...]:
    return (*tree.folders, *tree.import_path, *(f"/dev/{device}" for device in DEVICES))
