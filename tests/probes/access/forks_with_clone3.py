"""Makes one more process by the newest system call, whose flags no filter can read.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


def forbidden():
    arguments = (ffi.c_uint64 * 11)(0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
    pid = syscall("clone3", ffi.byref(arguments), 88)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True
