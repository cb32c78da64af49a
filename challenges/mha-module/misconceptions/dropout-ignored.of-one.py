"""A dropout of 1 drops nothing.

Every rate from 0 to 1 is allowed, and 1 drops every weight: then only the bias of out_proj is left. nn.Dropout does
that; make no exception for it.
"""


def drop(weights, layer):
    return layer.dropout(weights) if layer.dropout.p < 1 else weights
