"""The maximum that is subtracted is never below zero.

It starts at zero, or is clamped to zero or above. When all scores of a query are far below zero, every exponential
becomes 0, and 0 / 0 is NaN. Start from minus infinity: each row needs its own maximum, whatever its sign.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True).clamp(min=0.0))
    return weights / weights.sum(dim=-1, keepdim=True)
