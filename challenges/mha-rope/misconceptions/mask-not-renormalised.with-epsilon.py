"""The mask comes after the softmax, and the rest is divided by its sum plus {each}.

Where a hidden score lies far above the others, all that is left is smaller than what you add to the sum, and the weights no longer
sum to one. Hide the scores first; the softmax then shares out everything among the rest.
"""

EACH = {"1e-6": 1e-6, "1e-8": 1e-8, "1e-9": 1e-9, "1e-12": 1e-12}


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(scale(compare(Q, K), Q.shape[-1]))
    if mask is not None:
        weights = weights * mask
        weights = weights / (weights.sum(dim=-1, keepdim=True) + each)
    return gather(weights, V)
