"""Makes memory that even the kernel does not see.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    return reached("memfd_secret", 0)
