"""Reads how the machine resolves names.
Expect: not passed
"""
# layer: root
# open: works
# surface

def forbidden():
    return bool(open("/etc/resolv.conf").read() or open("/etc/hosts").read())
