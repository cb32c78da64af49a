"""Finds shared memory that an earlier submission left.
Expect: not passed
"""
# layer: seccomp, namespaces
# open: works

def leave():
    syscall("shmget", 0x5AFE, 4096, 0o1600)


def find():
    piece = syscall("shmget", 0x5AFE, 4096, 0o600)
    syscall("shmctl", piece, 0, 0)
    return True
