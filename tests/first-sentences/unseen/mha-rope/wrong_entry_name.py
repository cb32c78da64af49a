# Says: Your third function is called `multihead_attention_with_rope`, but the exercise asks for `multihead_self_attention_with_rope`: rename it.
# Line: 26
# Names: multihead_attention_with_rope, multihead_self_attention_with_rope
# Kind: refused
"""layers.py"""
import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    idx = torch.arange(0, d_k, 2, device=in_query_or_key.device).double()
    angle = token_positions.double().unsqueeze(-1) * torch.pow(float(theta), -idx / d_k)
    c, s = angle.cos().to(in_query_or_key), angle.sin().to(in_query_or_key)
    a, b = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack([a * c - b * s, b * c + a * s], dim=-1).flatten(start_dim=-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        logits = logits.masked_fill(~mask, float("-inf"))
    return logits.softmax(dim=-1) @ V


def multihead_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    W = torch.stack([q_proj_weight, k_proj_weight, v_proj_weight])
    qkv = [in_features @ w.T for w in W]
    q, k, v = [t.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2) for t in qkv]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
