"""Sends itself the signal that ends a pause, over and over, so that none ever begins.
Expect: not passed
"""
# layer: seccomp
# open: works

import signal


def forbidden():
    signal.raise_signal(signal.SIGCONT)
    return True
