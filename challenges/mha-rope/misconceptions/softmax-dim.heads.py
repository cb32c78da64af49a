"""The softmax runs over the heads.

dim=1 is the keys' axis only for tensors with two axes. Each query in each head divides its attention among the keys:
use the last axis, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-3, keepdim=True))
    return weights / weights.sum(dim=-3, keepdim=True)
