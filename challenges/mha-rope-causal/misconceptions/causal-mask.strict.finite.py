"""The mask hides each token from itself.

The diagonal is missing, so the first token sees nothing at all. All its scores are then equally low, and it gets the
average of all values, later ones included. A token may see itself: use the lower triangle including its diagonal.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -1e9)


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).tril(-1)
