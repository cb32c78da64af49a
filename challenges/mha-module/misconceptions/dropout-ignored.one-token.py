"""A single token skips dropout.

Its only weight is 1, but in training that weight is dropped like any other, or enlarged. A short way for one token must not
leave dropout out.
"""


def drop(weights, layer):
    return layer.dropout(weights) if weights.shape[-1] > 1 else weights
