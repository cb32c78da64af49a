"""Has the machine's disk write down all that it holds, by way of a library's file.
Expect: not passed
"""
# layer: seccomp
# open: works


def forbidden():
    """Whether the kernel looks for the file: where it does not, it is only said that it has been done."""
    for flush in (os.fsync, os.fdatasync):
        try:
            flush(9999)
        except OSError as error:
            if error.errno == errno.EBADF:
                return True
    return False
