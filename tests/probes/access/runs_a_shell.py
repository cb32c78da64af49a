"""Runs a shell that does nothing.
Expect: not passed
"""
# layer: seccomp, root, landlock
# open: works
# surface

import subprocess


def forbidden():
    return subprocess.run(["/bin/sh", "-c", "true"], timeout=5).returncode == 0
