"""RoPE as a product with full block-diagonal rotation matrices."""

import math
import torch


def rotation_matrices(d_k, theta, max_seq_len):
    """(max_seq_len, d_k, d_k)"""
    k = torch.arange(d_k // 2)
    angles = torch.arange(max_seq_len)[:, None] / theta ** (2 * k / d_k)
    R = torch.zeros(max_seq_len, d_k, d_k)
    R[:, 2 * k, 2 * k] = angles.cos()
    R[:, 2 * k, 2 * k + 1] = -angles.sin()
    R[:, 2 * k + 1, 2 * k] = angles.sin()
    R[:, 2 * k + 1, 2 * k + 1] = angles.cos()
    return R


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    R = rotation_matrices(d_k, theta, max_seq_len)[token_positions].to(in_query_or_key)
    return (R @ in_query_or_key.unsqueeze(-1)).squeeze(-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "bad heads"
    d_head = d_model // num_heads

    def heads_of(weight):
        return torch.einsum("...sm,hdm->...hsd", in_features, weight.view(num_heads, d_head, d_model))

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    where = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads_of(q_proj_weight), where)
    k = rope(d_head, theta, max_seq_len, heads_of(k_proj_weight), where)
    z = scaled_dot_product_attention(q, k, heads_of(v_proj_weight))
    return torch.einsum("...hsd,ohd->...so", z, o_proj_weight.reshape(d_model, num_heads, d_head))
