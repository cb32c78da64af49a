"""Makes a timer that signals.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("timer_create", 99, 0, 0)
