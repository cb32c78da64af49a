"""The mask hides the past instead of the future.

Queries are the rows of the score matrix and keys its columns. A later key stands to the right of the diagonal,
so it is the upper triangle that must be hidden, not the lower one.
"""


def later_tokens(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril(diagonal=-1)
