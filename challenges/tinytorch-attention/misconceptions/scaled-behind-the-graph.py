"""The scores are scaled through .data, so the gradient misses the scaling.

Changing scores.data gives the right numbers, but the scaling is not part of the graph: the gradients of Q and K come
out as if there were no scaling. Write it as an operation on the Tensor, which creates a new one.
"""


def scale(scores, d_k):
    scores.data = scores.data * (1.0 / math.sqrt(d_k))
    return scores
