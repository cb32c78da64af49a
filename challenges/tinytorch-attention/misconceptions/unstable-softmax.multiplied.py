"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, even for a hidden one: infinity times zero is NaN, and so is infinity
over infinity. Hide the scores first, and use Softmax(), which subtracts the row's maximum.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    powers = scale(score(Q, K), Q.shape[-1]).exp()
    powers = powers if mask is None else powers * mask
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return mix(weights, V), weights
