"""The mask comes after the softmax.

Weights of hidden keys are set to 0 after they have taken their share, and what is left no longer sums to one. Hide the
scores first; the softmax then shares out everything among the rest.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(scale(compare(Q, K), Q.shape[-1]))
    return gather(weights if mask is None else weights * mask, V)
