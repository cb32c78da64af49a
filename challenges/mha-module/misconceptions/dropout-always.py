"""Dropout is active in eval(), too.

F.dropout drops whenever it is called, unless it is told that the module is not in training. nn.Dropout knows by
itself, as long as it is a layer of the module.
"""


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p)
