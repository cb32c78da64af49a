"""The softmax runs over the heads.

dim=1 is the keys' axis only for tensors with two axes. Each query of each head shares out its attention among the keys:
the last axis, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-3, keepdim=True))
    return weights / weights.sum(dim=-3, keepdim=True)
