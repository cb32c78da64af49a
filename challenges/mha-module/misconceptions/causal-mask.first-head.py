"""Only the first head is masked.

The mask holds for all heads: without an axis of its own for them it is broadcast to each. An index 0 reaches the first only.
"""


def hide(scores, mask):
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[:, 0] = mask
    return scores.masked_fill(hidden, -math.inf)
