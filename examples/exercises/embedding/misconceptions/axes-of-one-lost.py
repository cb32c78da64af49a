"""Axes of length 1 are lost.

squeeze removes every axis of length 1, also those of token_ids, or a single feature.
"""


def looked_up(weight, token_ids):
    return weight[token_ids].squeeze()
