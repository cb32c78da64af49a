"""Takes pages from the machine's reserve of huge ones, which no control group counts.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface


PRIVATE, ANONYMOUS, HUGE = 0x02, 0x20, 0x40000


def forbidden():
    return reached("mmap", 0, 2 << 20, 0, PRIVATE | ANONYMOUS | HUGE, -1, 0)
