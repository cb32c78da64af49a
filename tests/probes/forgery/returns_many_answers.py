"""Returns several answers at once, one of which may be right.
Expect: failed|error
"""
# layer: judge

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return tuple(in_query_or_key * sign for sign in (-1.0, 0.0, 1.0))


def scaled_dot_product_attention(Q, K, V, mask=None):
    return V, V * 0, V * 2
