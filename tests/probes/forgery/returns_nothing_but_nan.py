"""Returns NaN everywhere, which differs from nothing by any amount that can be compared.
Expect: failed
"""
# layer: judge

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return in_query_or_key * float("nan")


def scaled_dot_product_attention(Q, K, V, mask=None):
    return (Q[..., :1] * V[..., :1, :]) * float("nan")


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    return in_features * (q_proj_weight + k_proj_weight + v_proj_weight + o_proj_weight).sum() * float("nan")
