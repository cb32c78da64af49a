"""The weights are multiplied with the keys.

What a token is found by (its key) and what it hands over (its value) are two things: the weights are multiplied with V.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    return mix(weights, K), weights
