"""Waits for a thread as vfork() does: the kernel stops nobody who waits so, and is slow to stop the other threads.
Expect: not passed
"""
# layer: seccomp
# open: works

THREAD, VFORK, NEVER_TOGETHER = 0x10900, 0x4000, 0x401000


def forbidden():
    return reached("clone", THREAD | VFORK | NEVER_TOGETHER, 0, 0, 0, 0)
