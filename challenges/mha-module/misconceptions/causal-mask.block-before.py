"""Blocks of {each} queries see no further back than the block before them.

All earlier tokens may be seen, however many blocks are in between. For every block of queries, the keys begin with the
first token.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def own_mask(layer, tokens):
    places = torch.arange(tokens)
    return (places > places[:, None]) | (places // each < places[:, None] // each - 1)
