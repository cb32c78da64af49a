"""Only the first sequence of the batch is masked.

The mask holds for all sequences: without a batch axis of its own it is broadcast to each. An index 0 before it reaches the
first one only.
"""


def hide(scores, mask):
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[0] = mask
    return scores.masked_fill(hidden, -math.inf)
