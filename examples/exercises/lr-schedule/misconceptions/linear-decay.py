"""The rate falls in a straight line.

Ends and middle are right, and all between is not: the wave is flat at both ends.
"""


def falling(share):
    return 1 - share
