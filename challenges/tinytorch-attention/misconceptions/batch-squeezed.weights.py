"""With a batch of one, the weights lose the batch axis.

attention_weights have shape (batch, seq, seq), even for a single sequence: (1, seq, seq). Do not squeeze, and do not
take index 0 of the batch.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    return mix(weights, V), weights[0] if weights.shape[0] == 1 else weights
