"""The probability is kept from becoming too small.

clamp hides that it is zero: no loss can be larger than that of the bound, and where it holds there is no gradient.
Subtract the logarithm of the sum from the target's logit instead.
"""


def losses(shifted, targets):
    e = torch.exp(shifted)
    return -torch.log(chosen(e / e.sum(dim=-1, keepdim=True), targets).clamp(min=1e-12))
