"""The softmax subtracts one maximum from all rows.

A row whose scores are far below the maximum of the whole tensor underflows to zero over zero. Use the maximum of each
row: axis=-1, keepdims=True.
"""


def weigh(scores):
    powers = (scores - float(scores.data.max())).exp()
    return powers / powers.sum(axis=-1, keepdims=True)
