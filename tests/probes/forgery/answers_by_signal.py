"""Leaves a handler of signals that says that all went well.
Expect: failed|error
"""
# layer: judge, seccomp

import os
import signal

for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
    signal.signal(number, lambda *arguments: os._exit(0))
try:
    signal.setitimer(signal.ITIMER_REAL, 0.05)
except OSError:
    pass
