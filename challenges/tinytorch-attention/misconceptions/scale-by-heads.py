"""The scores are divided by the square root of the number of heads.

What matters is how many features are compared: head_dim, the last axis of Q. Count from the end: Q.shape[-1].
"""


def attend(Q, K, V, mask):
    factor = math.sqrt(Q.shape[-1] / Q.shape[1])
    output, _ = scaled_dot_product_attention(Q * factor, K, V, mask)
    return output
