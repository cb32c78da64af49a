"""The scores are scaled by the number of keys that a query sees.

A score is a sum over the d_head features of one head, so divide by sqrt(d_head), however many keys the query sees. Your
scores are also divided by the square root of the number of keys.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~mask, -math.inf) / mask.sum(dim=-1, keepdim=True) ** 0.5
