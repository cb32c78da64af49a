"""The weights are scaled, after the softmax.

After the softmax the rows add up to 1, and dividing makes them add up to less. Scale before the softmax: the scaling is
there to keep it from saturating.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = scale(weigh(hide(score(Q, K), mask)), Q.shape[-1])
    return mix(weights, V), weights
