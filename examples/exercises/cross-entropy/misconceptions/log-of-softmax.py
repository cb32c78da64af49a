"""The probability is computed first, and then its logarithm.

A probability of exp(-200) is zero in float32, and the logarithm of zero is minus infinity. The exponential of the
target's logit and the logarithm cancel: subtract the logarithm of the sum from the logit instead.
"""


def losses(shifted, targets):
    e = torch.exp(shifted)
    return -torch.log(chosen(e / e.sum(dim=-1, keepdim=True), targets))
