"""The mean is taken over the {each} axis only.

All axes before the vocabulary are positions, and the mean runs over all of them. Your code adds up the others.
"""

EACH = {"first": 0, "last": -1}


def average(of_positions):
    return of_positions.sum() / of_positions.shape[each] if of_positions.dim() else of_positions
