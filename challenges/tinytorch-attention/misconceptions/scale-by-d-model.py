"""The scores are divided by the square root of embed_dim.

Inside a head, the vectors being compared have head_dim features. Dividing by the root of the whole width makes the
softmax too flat. Read the width from Q itself: Q.shape[-1].
"""


def attend(Q, K, V, mask):
    output, _ = scaled_dot_product_attention(Q * (1.0 / math.sqrt(Q.shape[1])), K, V, mask)
    return output
