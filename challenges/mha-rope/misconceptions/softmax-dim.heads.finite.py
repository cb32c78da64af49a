"""The softmax runs over the heads.

Counted from the end, dim=-3 is the axis of the heads. Each query of each head shares out its attention among the keys:
the last axis, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-3, keepdim=True))
    return weights / weights.sum(dim=-3, keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -1e9)
