"""The probability is computed in float64, and then its logarithm.

float64 only moves the limit: exp(-750) is zero there too, and where it is held above the smallest number, there is no
gradient. Subtract the logarithm of the sum from the target's logit.
"""


def losses(shifted, targets):
    e = torch.exp(shifted.double())
    smallest = torch.finfo(e.dtype).tiny
    return -torch.log(chosen(e / e.sum(dim=-1, keepdim=True), targets).clamp(min=smallest))
