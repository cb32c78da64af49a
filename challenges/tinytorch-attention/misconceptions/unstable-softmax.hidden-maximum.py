"""The softmax subtracts the maximum of the hidden scores from the visible ones.

When a hidden score is far above the others, all visible ones underflow to zero over zero. Hide first, then take the
maximum of what is left.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = scale(score(Q, K), Q.shape[-1])
    powers = (scores - Tensor(scores.data.max(axis=-1, keepdims=True))).exp()
    powers = powers if mask is None else powers * mask
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return mix(weights, V), weights
