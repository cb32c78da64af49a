"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, and infinite over infinite is NaN; exp of a very low one is zero, and so
is the sum of such. Take the row's maximum off the scores first: it does not change the softmax.
"""


def softmax(scores):
    weights = torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True)
