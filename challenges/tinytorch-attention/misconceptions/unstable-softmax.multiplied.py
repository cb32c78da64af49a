"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, a hidden one too: infinite times zero is no number, and neither is infinite over
infinite. Hide the scores first, and take Softmax(), which takes the row's maximum off.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    powers = scale(score(Q, K), Q.shape[-1]).exp()
    powers = powers if mask is None else powers * mask
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return mix(weights, V), weights
