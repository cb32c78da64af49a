"""There is a sine in place of the cosine.

A sine begins and ends half a wave at 0, so the rate would be the same at both ends, and the largest in the middle.
"""


def falling(share):
    return 0.5 * (1 + math.sin(math.pi * share))
