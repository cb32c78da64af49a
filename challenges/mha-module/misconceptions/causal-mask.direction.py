"""The mask hides the past instead of the future.

Queries are the rows of the score matrix and keys its columns. Later keys are to the right of the diagonal, so the upper
triangle must be hidden, not the lower one.
"""


def later_tokens(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril(diagonal=-1)
