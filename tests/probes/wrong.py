"""Stands before every forgery: answers of the right shape, with gradients, that are all wrong."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return in_query_or_key * 0.5


def scaled_dot_product_attention(Q, K, V, mask=None):
    return (Q[..., :1] + K[..., :1].mean(-2, keepdim=True)) * V[..., :1, :]


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
    return in_features * (q_proj_weight + k_proj_weight + v_proj_weight + o_proj_weight).sum()
