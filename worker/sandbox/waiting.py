"""Waits for a process of ours."""

import os
import select
import subprocess


def ends_within(process: "subprocess.Popen[bytes]", patience_s: float) -> bool:
    """Tells at once when it ends: with a timeout, `Popen.wait` sleeps, and looks 20 times a second."""
    if process.poll() is not None:
        return True
    try:
        pidfd = os.pidfd_open(process.pid)
    except ProcessLookupError:  # another thread has seen its end
        return True
    try:
        waiting = select.poll()
        waiting.register(pidfd, select.POLLIN)
        has_ended = bool(waiting.poll(patience_s * 1000))
    finally:
        os.close(pidfd)
    if has_ended:
        process.wait()
    return has_ended
