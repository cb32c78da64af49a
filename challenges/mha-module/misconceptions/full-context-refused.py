"""A sequence of context_length tokens is rejected.

A sequence may have up to context_length tokens: compare with > instead of >=.
"""


def own_mask(layer, tokens):
    if tokens >= len(layer.mask):
        raise ValueError(f"{tokens} tokens are too many")
    return layer.mask[:tokens, :tokens]
