"""Half of the softmax's gradient is missing.

The output is right; the gradient is taken as if each weight depended on its own score alone. It depends on all scores of its
row, through the sum: do not detach that, and in a backward of your own subtract the row's sum.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.detach().amax(dim=-1, keepdim=True))
    return weights / weights.detach().sum(dim=-1, keepdim=True)
