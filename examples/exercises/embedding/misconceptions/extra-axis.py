"""A single token comes back with an extra axis.

Your code adds an axis to a number that has none, and leaves it there.
"""


def looked_up(weight, token_ids):
    rows = weight[token_ids]
    return rows[None] if token_ids.dim() == 0 else rows
