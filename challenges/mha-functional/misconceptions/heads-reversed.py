"""The heads are merged in reverse order.

Head 0 comes first in the features, just as its rows come first in the weights. out_proj_weight reads the heads in that
order.
"""


def merge_heads(x):
    return x.flip(-3).transpose(-3, -2).flatten(-2)
