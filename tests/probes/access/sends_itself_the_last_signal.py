"""Sends itself the signal by which, of all that end a process, only somebody outside could have ended it.
Expect: not passed
"""
# layer: seccomp

import signal
import threading


def forbidden():
    """The kernel takes it and does nothing, as this is the first of a namespace. After a crash it is that no more."""
    return reached("tgkill", os.getpid(), threading.get_native_id(), signal.SIGKILL)
