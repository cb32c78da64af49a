"""The mask hides each token from itself.

The diagonal is missing, so the first token sees nothing at all, and its softmax is 0 / 0. A token may see itself: use
the lower triangle including its diagonal.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).tril(-1)
