"""The mask is applied to the {each} only.

No head may look ahead: give the mask no axis of its own for the heads, and broadcasting serves them all. Check the axis
of the heads where the scores are indexed.
"""

EACH = {"first head": 0, "last head": -1}


def hide(scores, mask):
    if scores.dim() == 3:
        return scores.masked_fill(mask, -math.inf)
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[:, each] = mask
    return scores.masked_fill(hidden, -math.inf)
