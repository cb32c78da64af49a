"""Builds a 2 by 2 matrix for each position and pair, and multiplies it out with einsum."""

import torch


def rotation(angles):
    c, s = torch.cos(angles), torch.sin(angles)
    return torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = torch.pow(float(theta), torch.arange(0, d_k, 2, device=x.device).double().neg() / d_k)
    matrices = rotation(token_positions.double().unsqueeze(-1) * inv).to(x.dtype)
    pairs = x.reshape(x.shape[:-1] + (d_k // 2, 2))
    return torch.einsum("...ij,...j->...i", matrices, pairs).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores, -1), V)


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    p = token_positions[..., None, :]
    q, k = rope(d_head, theta, max_seq_len, q, p), rope(d_head, theta, max_seq_len, k, p)
    y = scaled_dot_product_attention(q, k, v)
    return y.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
