"""The rate falls by a constant factor.

That falls fastest at the beginning. Half a wave of the cosine is flat at both ends.
"""


def between(min_lr, max_lr, share):
    return max_lr * (max(min_lr, 1e-9) / max_lr) ** (1 - share)
