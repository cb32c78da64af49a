"""The axes of token_ids are merged into one.

Your code lays all tokens in a row, and does not give the result their axes again.
"""


def looked_up(weight, token_ids):
    return weight[token_ids.reshape(-1)]
