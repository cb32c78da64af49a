"""Returns a view of one number as 4 GiB.
Expect: error
"""
# layer: rlimits, supervisor

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return torch.zeros(1).expand(1 << 30)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return torch.zeros(1).expand(1 << 30)
