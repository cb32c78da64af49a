"""Half of the softmax's gradient is missing.

The output is right; the gradient is computed as if each weight depended only on its own score. It depends on all scores
in its row, through the sum: do not detach that sum, and if you write your own backward, use p * (g - (g * p).sum(-1,
keepdim=True)).
"""


def softmax(scores):
    weights = torch.exp(scores - scores.detach().amax(dim=-1, keepdim=True))
    return weights / weights.detach().sum(dim=-1, keepdim=True)
