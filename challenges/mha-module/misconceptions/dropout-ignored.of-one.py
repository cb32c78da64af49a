"""A dropout of 1 drops nothing.

All numbers from 0 to 1 are allowed, and 1 drops every weight: only the bias of out_proj is left then. nn.Dropout does that;
make no exception for it.
"""


def drop(weights, layer):
    return layer.dropout(weights) if layer.dropout.p < 1 else weights
