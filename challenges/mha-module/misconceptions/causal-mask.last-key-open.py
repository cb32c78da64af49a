"""The last token is hidden from nobody.

All tokens before it must not see the last one, as they must not see any that comes later. Mind where a slice or a comparison
ends.
"""


def own_mask(layer, tokens):
    mask = layer.mask[:tokens, :tokens].clone()
    mask[:, -1] = False
    return mask
