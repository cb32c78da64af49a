"""Leaves by SystemExit with status 0 from every call.
Expect: error
"""
# layer: judge

import sys


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    sys.exit(0)


def scaled_dot_product_attention(Q, K, V, mask=None):
    sys.exit(0)


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
    sys.exit(0)
