"""The two results are in the wrong order.

scaled_dot_product_attention returns the output first and the attention weights second. The layer uses the first as its
output.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    return weights, mix(weights, V)
