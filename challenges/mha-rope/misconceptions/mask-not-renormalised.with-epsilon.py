"""The mask comes after the softmax, and the rest is divided by its sum plus {each}.

When a hidden score is far above the others, everything that remains is smaller than what you add to the sum, and the
weights no longer sum to one. Hide the scores first; the softmax then divides all of the attention among the rest.
"""

EACH = {"1e-6": 1e-6, "1e-8": 1e-8, "1e-9": 1e-9, "1e-12": 1e-12}


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(scale(compare(Q, K), Q.shape[-1]))
    if mask is not None:
        weights = weights * mask
        weights = weights / (weights.sum(dim=-1, keepdim=True) + each)
    return gather(weights, V)
