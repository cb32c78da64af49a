"""Dropout is taken for the share that is kept.

nn.Dropout(p) drops the share p. The argument dropout is that share already: hand it on as it is, and not 1 - dropout.
"""


def drop(weights, layer):
    return nn.functional.dropout(weights, 1 - layer.dropout.p, layer.training)
