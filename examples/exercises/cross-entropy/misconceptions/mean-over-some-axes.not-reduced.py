"""One loss for each sequence is returned.

The mean runs over all positions, and the result is one number. Your code averages over the last of the leading axes
only.
"""


def average(of_positions):
    return of_positions.mean(dim=-1) if of_positions.dim() else of_positions
