"""Makes the runner container's seccomp profile from Docker's default one.

    curl -o default.json <Docker's default profile: seccomp/default.json of the project moby/profiles>
    python deploy/make_seccomp_profile.py default.json deploy/seccomp-runner.json

The sandbox confines itself with user namespaces and an own, much narrower filter. For that it needs seven calls which
Docker's default gives to containers with CAP_SYS_ADMIN only. The runner has no capability at all: the kernel grants
these calls only inside a user namespace that the sandbox has made for itself.

Docker's profile: Copyright the Moby authors, Apache License 2.0, https://github.com/moby/profiles. The result is a
modified version of it, under the same licence.
"""

import json
import sys
from pathlib import Path
from typing import Any

NEEDED = ("clone3", "mount", "mount_setattr", "pivot_root", "sethostname", "umount2", "unshare")


def derive(default: dict[str, Any]) -> dict[str, Any]:
    """Docker's default without `clone3 -> ENOSYS`, and with the calls that a sandbox makes."""
    rules = [rule for rule in default["syscalls"] if not _is_refusal_of_clone3(rule)]
    comment = "assay: the sandbox builds its own namespaces, without any capability"
    rules.append({"names": list(NEEDED), "action": "SCMP_ACT_ALLOW", "comment": comment})
    return {**default, "syscalls": rules}


def _is_refusal_of_clone3(rule: dict[str, Any]) -> bool:
    return "clone3" in rule["names"] and rule["action"] == "SCMP_ACT_ERRNO"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: make_seccomp_profile.py DOCKERS_DEFAULT.json RESULT.json")
    default = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Path(sys.argv[2]).write_text(json.dumps(derive(default), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
