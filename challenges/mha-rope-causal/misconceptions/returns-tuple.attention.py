"""scaled_dot_product_attention returns more than the output.

It returns one tensor, (..., queries, d_v). The weights may be interesting, but callers expect only the output.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(hide(scale(compare(Q, K), Q.shape[-1]), mask))
    return gather(weights, V), weights


def attend(Q, K, V):
    output, _ = scaled_dot_product_attention(Q, K, V, up_to_itself(Q.shape[-2]))
    return output
