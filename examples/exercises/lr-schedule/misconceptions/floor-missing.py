"""The cosine goes down to 0.

It ends at min_lr, without a jump to the constant phase. What should the wave be of, and where should it begin?
"""


def between(min_lr, max_lr, share):
    return share * max_lr
