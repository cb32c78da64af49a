"""The first two axes are merged into one.

The result has all the axes of token_ids. Your code merges the first two where there are three.
"""


def looked_up(weight, token_ids):
    rows = weight[token_ids]
    return rows.flatten(0, 1) if token_ids.dim() > 2 else rows
