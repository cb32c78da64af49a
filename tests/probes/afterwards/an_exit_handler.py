"""Is told by an exit handler of an earlier submission.
Expect: not passed
"""
# layer: zygote
# open: works

import atexit

before = atexit._ncallbacks()


def leave():
    atexit.register(print, "left")


def find():
    return atexit._ncallbacks() > before
