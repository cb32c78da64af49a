"""Reads the password hashes.
Expect: not passed
"""
# layer: root, landlock, namespaces

def forbidden():
    return bool(open("/etc/shadow").read(20))
