"""Looks for a control group to move to.
Expect: not passed
"""
# layer: root, namespaces
# surface

import os


def forbidden():
    for folder, _, names in os.walk("/sys/fs/cgroup"):
        if "cgroup.procs" in names and os.access(os.path.join(folder, "cgroup.procs"), os.R_OK):
            return True
    return False
