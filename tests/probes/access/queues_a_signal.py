"""Queues a signal with data for a process number that nobody has.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("rt_sigqueueinfo", 999_999_999, 0, 0)
