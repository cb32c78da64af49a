"""The cosine goes down to 0, and is cut off at min_lr.

So it reaches min_lr before its end, and falls too fast until then. The wave itself should end there.
"""


def between(min_lr, max_lr, share):
    return max(min_lr, share * max_lr)
