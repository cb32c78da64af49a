"""Asks where its pages of memory lie.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("move_pages", 0, 0, 0, 0, 0, 0)
