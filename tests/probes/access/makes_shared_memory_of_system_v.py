"""Makes a piece of System V shared memory and removes it.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    piece = syscall("shmget", 0, 4096, 0o1600)
    syscall("shmctl", piece, 0, 0)
    return True
