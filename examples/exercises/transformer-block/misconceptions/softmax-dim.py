"""The softmax runs over the queries instead of the keys.

The shares of each query must add up to 1: that is the last axis.
"""


def softmax(scores):
    shares = torch.exp(scores - scores.amax())
    return shares / shares.sum(dim=-2, keepdim=True)
