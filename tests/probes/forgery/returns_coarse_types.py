"""Returns truth values and half precision, where everything is near to everything.
Expect: failed
"""
# layer: judge

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return in_query_or_key > 0


def scaled_dot_product_attention(Q, K, V, mask=None):
    return V.half()
