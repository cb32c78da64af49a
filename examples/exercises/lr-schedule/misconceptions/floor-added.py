"""min_lr is added to a wave that goes down from max_lr.

Then the cosine begins at max_lr + min_lr. The wave has to bridge the distance between the two rates.
"""


def between(min_lr, max_lr, share):
    return min_lr + share * max_lr
