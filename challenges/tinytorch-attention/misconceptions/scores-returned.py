"""The scores are returned instead of the weights.

The second result must be the output of the softmax: positive weights that add up to 1 for each query. Yours is the
input of the softmax.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = hide(scale(score(Q, K), Q.shape[-1]), mask)
    return mix(weigh(scores), V), scores
