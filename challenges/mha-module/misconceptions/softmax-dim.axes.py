"""The softmax runs over {each}.

Each query divides its attention among the keys: each row of weights sums to one, so the axis is the last one, dim=-1.
"""

EACH = {"the batch": (0,), "queries and keys": (-2, -1)}


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=each, keepdim=True))
    return weights / weights.sum(dim=each, keepdim=True)
