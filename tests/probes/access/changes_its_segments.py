"""Changes its segment descriptors.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("modify_ldt", 0, 0, 0)
