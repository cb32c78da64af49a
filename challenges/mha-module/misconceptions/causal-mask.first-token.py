"""The first token sees {each}.

The first token has nothing but itself to look at: its weights are 1 for itself and 0 for the rest. Write down the mask of
three tokens and look at its first row.
"""

EACH = {"the second one": (1, 2), "the last one": (-1, None), "all later ones": (1, None)}


def own_mask(layer, tokens):
    mask = layer.mask[:tokens, :tokens].clone()
    mask[0, slice(*each)] = False
    return mask
