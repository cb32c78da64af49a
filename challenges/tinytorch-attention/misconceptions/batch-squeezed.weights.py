"""With a batch of one, the weights lose its axis.

attention_weights have the shape (batch, seq, seq), also for a single sequence: (1, seq, seq). Do not squeeze, and do not take
the first of one.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    return mix(weights, V), weights[0] if weights.shape[0] == 1 else weights
