"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, and infinity over infinity is NaN; exp of a very low one is zero, and so
is a sum of only such terms. Subtract each row's maximum from the scores first: this does not change the softmax.
"""


def softmax(scores):
    weights = torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True)
