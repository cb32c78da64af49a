"""Heads and batch are one axis for a 3-D attention with bmm."""

import torch
import torch.nn.functional as F
from einops import rearrange, repeat


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = 1 / (theta ** (torch.arange(0, d_k, 2, device=x.device).double() / d_k))
    phase = token_positions.double().unsqueeze(-1) * inv
    cos = repeat(phase.cos(), "... p -> ... (p two)", two=2).to(x.dtype)
    sin = repeat(phase.sin(), "... p -> ... (p two)", two=2).to(x.dtype)
    a, b = rearrange(x, "... (p two) -> two ... p", two=2)
    swapped = rearrange(torch.stack([-b, a]), "two ... p -> ... (p two)")
    return x * cos + swapped * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = torch.matmul(Q, K.transpose(-2, -1)).div(Q.size(-1) ** 0.5)
    if mask is not None:
        weights = weights.masked_fill(torch.logical_not(mask), -torch.inf)
    return torch.matmul(F.softmax(weights, dim=-1), V)


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
    if d_model % num_heads:
        raise ValueError("d_model has to be a multiple of num_heads")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    x = in_features.reshape(-1, seq, d_model)
    batch = x.shape[0]

    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    # one row of positions for each sequence of the flat batch
    where = token_positions.expand(*in_features.shape[:-1]) if token_positions.numel() == seq and in_features.dim() > 2 else token_positions
    where = where.reshape(-1, 1, seq).expand(batch, num_heads, seq)

    def project(weight):
        return rearrange(x @ weight.T, "b s (h d) -> b h s d", h=num_heads)

    q = rope(d_head, theta, max_seq_len, project(q_proj_weight), where).flatten(0, 1)
    k = rope(d_head, theta, max_seq_len, project(k_proj_weight), where).flatten(0, 1)
    v = project(v_proj_weight).flatten(0, 1)
    y = scaled_dot_product_attention(q, k, v)
    y = rearrange(y, "(b h) s d -> b s (h d)", h=num_heads)
    return (y @ o_proj_weight.T).reshape(in_features.shape)
