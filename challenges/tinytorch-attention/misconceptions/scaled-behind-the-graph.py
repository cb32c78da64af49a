"""The scores are scaled through .data, and the gradient knows nothing of it.

Changing scores.data gives the right numbers, but the scale is no step of the graph: gradients of Q and K come out as if there
were none. Write it as an operation on the Tensor, which makes a new one.
"""


def scale(scores, d_k):
    scores.data = scores.data * (1.0 / math.sqrt(d_k))
    return scores
