"""The wave is not lifted.

Half a cosine goes from 0.5 to -0.5: the phase begins far below max_lr, and ends below min_lr. The formula lifts the wave before it is halved.
"""


def falling(share):
    return 0.5 * math.cos(math.pi * share)
