"""Dropout drops whole heads.

nn.Dropout2d takes an image for one thing, and drops all weights of a head at once. nn.Dropout drops each weight by a draw of
its own.
"""


def drop(weights, layer):
    return weights * layer.dropout(weights.new_ones(*weights.shape[:-2], 1, 1))
