"""The mask shows the future and hides the past.

It is the upper triangle, or its axes are exchanged: rows are queries, columns are keys. In row i, the keys 0 to i may be
seen, which is the lower triangle.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu()
