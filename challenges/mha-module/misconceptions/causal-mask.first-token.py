"""The first token sees {each}.

The first token can only look at itself: its weights are 1 for itself and 0 for the rest. Write down the mask for three
tokens and check its first row.
"""

EACH = {"the second one": (1, 2), "the last one": (-1, None), "all later ones": (1, None)}


def own_mask(layer, tokens):
    mask = layer.mask[:tokens, :tokens].clone()
    mask[0, slice(*each)] = False
    return mask
