"""The scores are scaled by the width of the values.

A score sums over the features of queries and keys, so divide by sqrt(d_k). The values have a width of their own, d_v,
and play no part in the scores. Read the size from the last axis of Q or K.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = scale(compare(Q, K), V.shape[-1])
    return gather(softmax(hide(scores, mask)), V)
