"""The mask shows the future and hides the past.

You use the upper triangle, or the axes are swapped: rows are queries, columns are keys. Row i may see keys 0 to i,
which is the lower triangle.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu()
