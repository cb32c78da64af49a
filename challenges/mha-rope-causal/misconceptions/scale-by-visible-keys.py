"""The scores are scaled by the number of keys that a query sees.

A score is a sum over the d_head features of one head, so sqrt(d_head) is its scale, however many keys there are to see. Your
scores are divided by the root of that number as well.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~mask, -math.inf) / mask.sum(dim=-1, keepdim=True) ** 0.5
