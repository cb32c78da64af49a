"""Which layers of isolation this machine gives, and why not, for `assay doctor`. Each is tried in a small process.

The runner's own self-test decides whether it serves; this only explains.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import worker
from worker.sandbox import landlock
from worker.sandbox.backend import SandboxError
from worker.sandbox.cgroups import CgroupError, open_cgroups
from worker.sandbox.layout import PYTHON_OPTIONS
from worker.sandbox.zygote_client import standard_options
from worker.sandboxes import containers_here

CONTAINERS = "containers instead"
_TRIAL_S = 20.0
_BOOTSTRAP = "import sys; sys.path.append(sys.argv.pop(1)); from worker.sandbox.trial import main; main()"
_ADVICE = {
    "user namespace": "allow unprivileged user namespaces (see `sysctl user.max_user_namespaces`, AppArmor's "
    "`kernel.apparmor_restrict_unprivileged_userns`, or the container's seccomp profile)",
    "landlock": "boot with `landlock` in the `lsm=` list, or do without: --require-isolation reduced",
}
_NO_CGROUP = "resource limits bound each submission's memory, time and threads all the same"


@dataclass(frozen=True)
class Layer:
    """One layer. `why` says what it does for us, or why it is not there and what to do."""

    name: str
    in_force: bool
    why: str


def probe() -> list[Layer]:
    """Takes well under a second. What the machine lacks is a layer that is not in force."""
    try:
        failures = _try_all()
    except (ImportError, RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
        return [Layer("sandbox", False, f"its parts cannot be loaded: {error}")]
    layers = [Layer(name, not failure, _why(name, failure)) for name, failure in failures.items()]
    return [*layers, _cgroup_limits(), _containers()]


def _cgroup_limits() -> Layer:
    try:
        open_cgroups().close()
    except CgroupError as error:
        return Layer("cgroup limits", False, f"{error}; {_NO_CGROUP}")
    return Layer("cgroup limits", True, "memory and number of processes")


def _containers() -> Layer:
    """The other sandbox that a runner can be told to use."""
    try:
        told = containers_here()
    except SandboxError as error:
        return Layer(CONTAINERS, False, f"{str(error).rstrip('.')}; the zygote needs none of it")
    return Layer(CONTAINERS, True, told)


def _try_all() -> dict[str, str]:
    options = standard_options()
    project = str(Path(worker.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, *PYTHON_OPTIONS, _BOOTSTRAP, project, options.to_json()],
        env={"PATH": "/nonexistent"},
        cwd="/",
        capture_output=True,
        timeout=_TRIAL_S,
        check=True,
    )
    failures: dict[str, str] = json.loads(done.stdout)
    return failures


def _why(name: str, failure: str) -> str:
    if failure:
        advice = _ADVICE.get(name)
        return f"{failure}; {advice}" if advice else failure
    return f"ABI {landlock.supported_abi()}" if name == "landlock" else "works"
