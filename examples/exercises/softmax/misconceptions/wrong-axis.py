"""The last axis is used, whatever dim says.

dim names the axis along which the shares add up to 1. Your code always takes the last one. Pass dim on to the maximum
and to the sum.
"""


def largest(x, dim):
    return x.amax(dim=-1, keepdim=True)


def total(e, dim):
    return e.sum(dim=-1, keepdim=True)
