"""Joins the namespace behind a descriptor that is none.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("setns", -1, 0)
