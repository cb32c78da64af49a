"""The mask comes after the softmax.

The weights of hidden keys are set to 0 after they have already taken their share, so the remaining weights no longer
sum to one. Hide the scores first; the softmax then divides all of the attention among the rest.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(scale(compare(Q, K), Q.shape[-1]))
    return gather(weights if mask is None else weights * mask, V)
