"""The mask is applied to the {each} only.

All heads of a sequence share its mask. Your code applies it to only one of them: check the axis of the heads where the
scores are indexed.
"""

EACH = {"first head": 0, "last head": -1}


def hide(scores, mask):
    if mask is None:
        return scores
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[:, each] = read_mask(mask)
    return scores.masked_fill(hidden, -math.inf)
