"""The weights that are returned know nothing of the mask.

The output is right, but the second result comes from the scores as they were before the mask. Whoever looks at the weights
sees attention where there is none. Return the weights that were multiplied with V.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = scale(score(Q, K), Q.shape[-1])
    return mix(weigh(hide(scores, mask)), V), weigh(scores)
