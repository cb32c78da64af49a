"""A token sees only its own block of {each} tokens.

All earlier tokens may be seen, including those of earlier blocks. Only the block on the diagonal needs a mask, but the
blocks before it count as well.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def own_mask(layer, tokens):
    places = torch.arange(tokens)
    return (places > places[:, None]) | (places // each != places[:, None] // each)
