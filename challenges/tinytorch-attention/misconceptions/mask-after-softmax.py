"""The weights are multiplied by the mask, after the softmax.

Hidden keys get no weight, but they took part in the softmax, so the rows add up to less than 1. Push their scores far
down before the softmax instead, so that the other keys share all of the attention.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(scale(score(Q, K), Q.shape[-1]))
    weights = weights if mask is None else weights * mask
    return mix(weights, V), weights
