"""Half of the softmax's gradient is missing.

The output is right; the gradient is computed as if each weight depended only on its own score. It depends on all scores
in its row, through the sum: do not detach that sum, and if you write your own backward, subtract the row's sum.
"""


def softmax(scores):
    weights = torch.softmax(scores.detach(), dim=-1)
    seen = scores.masked_fill(scores == -math.inf, 0.0)
    return weights + (seen - seen.detach()) * weights * (1 - weights)
