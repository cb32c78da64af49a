"""Talks to the kernel about fences around files.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    return reached("landlock_create_ruleset", 0, 0, 1)
