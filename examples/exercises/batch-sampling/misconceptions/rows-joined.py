"""The rows are joined into one long one.

`cat` puts them end to end. The result needs an axis for the batch, which `stack` makes.
"""


def rows(tokens, starts, context_length):
    return as_ids(at(tokens, window(starts, context_length))).flatten()
