"""There is no norm at all.

Attention and feed-forward network get what is on the residual path as it is, and that grows from block to block.
"""


def rms_norm(x, weight, eps):
    return x
