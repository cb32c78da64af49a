"""Raises its own limits on processes and memory.
Expect: not passed
"""
# layer: seccomp, privileges

import resource


def forbidden():
    for limit in (resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_CPU):
        _, hard = resource.getrlimit(limit)
        try:
            resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (OSError, ValueError):
            continue
        if hard != resource.RLIM_INFINITY:
            return True
    return False
