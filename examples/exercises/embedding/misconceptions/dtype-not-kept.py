"""The result is always float32.

The result has the dtype of the weight: float64 and half precision too.
"""


def looked_up(weight, token_ids):
    return weight[token_ids].float()
