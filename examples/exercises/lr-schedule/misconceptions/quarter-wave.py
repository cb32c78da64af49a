"""The cosine goes through a quarter of a wave.

It falls slowly at first and fastest at the end. Half a wave is slow at both ends.
"""


def falling(share):
    return math.cos(0.5 * math.pi * share)
