"""Returns one number that could stand for a whole tensor.
Expect: failed
"""
# layer: judge

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return in_query_or_key.mean()


def scaled_dot_product_attention(Q, K, V, mask=None):
    return V.mean()
