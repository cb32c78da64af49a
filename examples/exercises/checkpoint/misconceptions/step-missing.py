"""The step is lost.

Whoever loads begins to count at 0 again, and so does the schedule. Save it, and return it.
"""


def step_of(checkpoint):
    return 0
