"""The weights are multiplied by the keys.

How a token is found (its key) and what it passes on (its value) are two different things: multiply the weights by V.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    return mix(weights, K), weights
