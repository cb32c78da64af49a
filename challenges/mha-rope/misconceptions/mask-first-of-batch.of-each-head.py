"""Every sequence gets the first one's mask.

Each sequence in the batch has its own mask, as with padding of different lengths; yours all get the one at index 0.
Keep the mask's first axis.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask[:1] if mask.dim() == scores.dim() else mask), -math.inf)
