"""Makes a counter that wakes others.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("eventfd2", 0, 0)
