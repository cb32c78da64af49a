"""Something is added to the probability before the logarithm.

An eps such as 1e-9 hides that the probability is zero: no loss can be larger than 20.7 then, and unlikely targets
have no gradient. Subtract the logarithm of the sum from the target's logit instead.
"""


def losses(shifted, targets):
    e = torch.exp(shifted)
    return -torch.log(chosen(e / e.sum(dim=-1, keepdim=True), targets) + 1e-9)
