"""A sequence of context_length tokens is refused.

As many tokens as context_length are allowed: compare with > instead of >=.
"""


def own_mask(layer, tokens):
    if tokens >= len(layer.mask):
        raise ValueError(f"{tokens} tokens are too many")
    return layer.mask[:tokens, :tokens]
