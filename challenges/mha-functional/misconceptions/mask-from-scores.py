"""Scores of zero are taken for hidden ones.

The scores are multiplied by zero where the mask hides, and then whatever is zero is hidden. A token of zeros, such as
padding, has scores of exactly zero although the mask does not hide them. Give the mask itself to masked_fill.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    kept = scores * ~make_room_for_heads(read_mask(mask))
    return kept.masked_fill(kept == 0, -math.inf)
