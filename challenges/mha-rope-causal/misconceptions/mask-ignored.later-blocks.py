"""The mask is applied to the first {each} keys only.

The first block of keys gets its part of the mask, but the later blocks get none. Each block needs the columns of the
mask that belong to its keys.
"""

EACH = {"8": 8, "16": 16, "32": 32, "64": 64}


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~mask & (torch.arange(scores.shape[-1]) < each), -math.inf)
