"""The scores are returned instead of the weights.

The second result is what the softmax gave: positive shares that add up to 1 for each query. Here it is what went into the
softmax.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = hide(scale(score(Q, K), Q.shape[-1]), mask)
    return mix(weigh(scores), V), scores
