"""The returned weights ignore the mask.

The output is right, but the second result comes from the scores before the mask, so it shows attention where there is
none. Return the weights that you multiply by V.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = scale(score(Q, K), Q.shape[-1])
    return mix(weigh(hide(scores, mask)), V), weigh(scores)
