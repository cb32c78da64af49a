"""The softmax divides by the mean.

The weights of a query sum to one. Divided by the mean of the exponentials instead of their sum, they sum to the number of
keys.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return weights / weights.mean(dim=-1, keepdim=True)
