"""The keys after the last whole block of {each} are dropped.

The length need not be a multiple of the block size. What is left over is a block too, just a shorter one.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64, "128": 128}


def own_mask(layer, tokens):
    places = torch.arange(tokens)
    whole = tokens // each * each or tokens
    return (places > places[:, None]) | (places >= whole)
