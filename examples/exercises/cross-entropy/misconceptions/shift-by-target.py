"""The target's logit is subtracted before the exponential, not the maximum.

The loss is then the logarithm of a sum, which is neat, but exp overflows wherever the target's logit is far below the
largest one.
"""


def losses(shifted, targets):
    return log_sum(shifted - chosen(shifted, targets).unsqueeze(-1))
