"""The wave is not lifted.

A cosine goes from 1 to -1, so the second half of the phase is below min_lr. The formula lifts it before it is halved.
"""


def falling(share):
    return math.cos(math.pi * share)
