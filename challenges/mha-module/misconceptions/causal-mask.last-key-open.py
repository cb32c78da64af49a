"""The last token is not hidden from any token.

The tokens before it must not see it, just as they must not see any other later token. Check where a slice or a
comparison ends.
"""


def own_mask(layer, tokens):
    mask = layer.mask[:tokens, :tokens].clone()
    mask[:, -1] = False
    return mask
