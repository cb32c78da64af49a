"""Leaves a process behind, if it can, that would stay for half a minute, and is right.
Expect: passed
"""
# layer: seccomp, namespaces

import time

try:
    if os.fork() == 0:
        os.setsid()
        for descriptor in range(5):
            os.close(descriptor)
        time.sleep(30)
        os._exit(0)
except OSError:
    pass
