"""The rows are multiplied by the root of the number of features.

Some models do that after the embedding. The layer returns the rows as they are.
"""


def looked_up(weight, token_ids):
    return weight[token_ids] * weight.shape[1] ** 0.5
