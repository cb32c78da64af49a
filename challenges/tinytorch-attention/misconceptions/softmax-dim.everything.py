"""One softmax runs over all queries and keys.

Each query divides its own attention: its row sums to one. Over the whole matrix, the weights of all queries together
sum to one.
"""


def weigh(scores):
    powers = (scores - Tensor(scores.data.max(axis=(-2, -1), keepdims=True))).exp()
    return powers / powers.sum(axis=(-2, -1), keepdims=True)
