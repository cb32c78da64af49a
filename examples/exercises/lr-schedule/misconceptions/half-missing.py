"""The wave is not halved.

1 + cos goes from 2 to 0, so the cosine begins far above max_lr. The formula has a factor before the bracket.
"""


def falling(share):
    return 1 + math.cos(math.pi * share)
