"""Asks the dynamic loader to become another program, with arguments that cannot be read.
Expect: not passed
"""
# layer: seccomp, landlock
# open: works
# surface



def forbidden():
    return reached("execve", ffi.c_char_p(b"/lib64/ld-linux-x86-64.so.2"), 1, 0)
