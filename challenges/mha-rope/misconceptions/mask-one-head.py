"""The mask is applied to the {each} only.

A mask without an axis for the heads applies to all of them. Yours is applied to only one: check how the scores are
indexed along the axis of the heads.
"""

EACH = {"first head": 0, "last head": -1}


def hide(scores, mask):
    if mask is None:
        return scores
    if scores.dim() < 4:
        return scores.masked_fill(~mask, -math.inf)
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[..., each, :, :] = (~mask).expand(scores.shape)[..., each, :, :]
    return scores.masked_fill(hidden, -math.inf)
