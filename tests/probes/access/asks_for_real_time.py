"""Asks to be run before everybody else.
Expect: not passed
"""
# layer: seccomp, privileges

import os


def forbidden():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True
