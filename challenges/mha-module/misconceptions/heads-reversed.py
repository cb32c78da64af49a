"""The heads are merged in reverse order.

Head 0 comes first in the features, just as it does in the projections. out_proj reads the heads in that order.
"""


def merge_heads(x):
    return x.flip(1).transpose(1, 2).flatten(-2)
