"""May leave an image of its memory behind when it crashes.
Expect: not passed
"""
# layer: rlimits
# surface

import resource


def forbidden():
    return resource.getrlimit(resource.RLIMIT_CORE)[1] != 0
