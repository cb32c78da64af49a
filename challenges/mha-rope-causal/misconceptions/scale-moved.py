"""The scale is not in scaled_dot_product_attention.

The multi-head function is right, because the queries are scaled elsewhere, but called on its own your
scaled_dot_product_attention does not scale. The division by sqrt(d_k) belongs there.
"""


def scale(scores, d_k):
    return scores


def attend(Q, K, V):
    return scaled_dot_product_attention(Q / math.sqrt(Q.shape[-1]), K, V, up_to_itself(Q.shape[-2]))
