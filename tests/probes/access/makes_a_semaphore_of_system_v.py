"""Makes a System V semaphore and removes it.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    semaphore = syscall("semget", 0, 1, 0o1600)
    syscall("semctl", semaphore, 0, 0, 0)
    return True
