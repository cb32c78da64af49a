"""Within a block of {each}, tokens see later ones.

Whole blocks of later keys are left out, but the block on the diagonal has later keys too: it needs its own mask.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def own_mask(layer, tokens):
    places = torch.arange(tokens)
    return places // each > places[:, None] // each
