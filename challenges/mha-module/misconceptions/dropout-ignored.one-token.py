"""A single token skips dropout.

Its only weight is 1, but in training that weight is dropped or scaled up like any other. A shortcut for one token must
not skip dropout.
"""


def drop(weights, layer):
    return layer.dropout(weights) if weights.shape[-1] > 1 else weights
