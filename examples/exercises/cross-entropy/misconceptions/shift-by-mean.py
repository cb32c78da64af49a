"""The mean is subtracted, not the maximum.

The loss stays the same, but nothing keeps exp from overflowing where one logit is far above the others. Minus
infinity makes the mean useless altogether.
"""


def largest(logits):
    return logits.mean(dim=-1, keepdim=True)
