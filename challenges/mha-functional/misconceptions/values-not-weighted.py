"""The values are averaged without using the weights.

Each query has its own weights, which say how much it takes from each value. The plain average is the same for every
query.
"""


def attend(Q, K, V, mask):
    weights = weigh(Q, K, mask)
    return (0.0 * weights + 1.0 / weights.shape[-1]) @ V
