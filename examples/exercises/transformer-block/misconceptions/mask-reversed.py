"""The mask hides the earlier tokens instead of the later ones.

Each token attends to itself and to what comes after it. Look at which triangle you keep.
"""


def hide_later(scores):
    seq = scores.shape[-1]
    return scores.masked_fill(torch.ones(seq, seq, dtype=torch.bool).tril(-1), -math.inf)
