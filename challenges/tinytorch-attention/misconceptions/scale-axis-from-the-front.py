"""The width is read from axis 2.

Q.shape[2] is the width only for (batch, seq, d). With an axis for the heads it is the number of tokens. Count from the
end: Q.shape[-1].
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = weigh(hide(scale(score(Q, K), Q.shape[2]), mask))
    return mix(weights, V), weights
