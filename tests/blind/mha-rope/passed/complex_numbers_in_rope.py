"""Rope multiplies complex numbers exp(i * angle); attention is the ordinary one."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key.contiguous()
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], d_k // 2, 2))
    omega = torch.pow(float(theta), -torch.linspace(0, 1, d_k // 2 + 1, dtype=torch.float64, device=x.device)[:-1])
    phase = token_positions[..., None].to(torch.float64) * omega
    turn = torch.polar(torch.ones_like(phase), phase).to(z.dtype)
    return torch.view_as_real(z * turn).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / K.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {d_model} features")
    *batch, seq, _ = in_features.shape
    split = lambda w: (in_features @ w.mT).reshape(*batch, seq, num_heads, -1).transpose(-3, -2)
    q, k, v = map(split, (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    where = token_positions.reshape(seq) if token_positions.numel() == seq else token_positions[..., None, :]
    turn = lambda t: rope(d_model // num_heads, theta, max_seq_len, t, where)
    out = scaled_dot_product_attention(turn(q), turn(k), v)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.mT
