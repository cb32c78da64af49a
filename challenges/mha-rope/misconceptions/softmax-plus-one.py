"""The softmax weights sum to less than one.

A 1 is added to the sum of the exponentials, so the weights of a query no longer sum to one. Divide by the sum over the
keys, and nothing else.
"""

EACH = {"beside the scores": True, "beside the exponentials": False}


def softmax(scores):
    top = scores.amax(dim=-1, keepdim=True)
    weights = torch.exp(scores - top)
    return weights / (weights.sum(dim=-1, keepdim=True) + (torch.exp(-top) if each else 1.0))
