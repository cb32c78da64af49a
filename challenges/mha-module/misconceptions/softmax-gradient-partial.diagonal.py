"""Half of the softmax's gradient is missing.

The output is right; the gradient is taken as if each weight depended on its own score alone. It depends on all scores of its
row, through the sum: do not detach that, and in a backward of your own subtract the row's sum.
"""


def softmax(scores):
    weights = torch.softmax(scores.detach(), dim=-1)
    seen = scores.masked_fill(scores == -math.inf, 0.0)
    return weights + (seen - seen.detach()) * weights * (1 - weights)
