"""Reads the password file.
Expect: not passed
"""
# layer: root, landlock
# open: works
# surface

def forbidden():
    return bool(open("/etc/passwd").read(20))
