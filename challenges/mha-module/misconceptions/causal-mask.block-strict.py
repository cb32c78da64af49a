"""After the first block of {each} queries a token does not see itself.

Whether a key comes later depends on indices in the whole sequence, in every block: hide the keys with j > i, where i
counts from the first token.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def own_mask(layer, tokens):
    places = torch.arange(tokens)
    return places > places[:, None] - (places[:, None] >= each).long()
