"""Opens a POSIX message queue that nobody made.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return reached("mq_open", ffi.c_char_p(b"assay-probe-none"), 0, 0, 0)
