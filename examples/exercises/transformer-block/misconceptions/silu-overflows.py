"""The silu is a / (1 + exp(-a)): exp overflows for large negative gates.

The value is still 0 then, but the gradient becomes infinity times zero, which is NaN. torch.sigmoid is made for that.
"""


def silu(a):
    return a / (1 + torch.exp(-a))
