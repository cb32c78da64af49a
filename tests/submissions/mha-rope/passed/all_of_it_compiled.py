"""All of it is compiled, with what `torch.compile` takes by itself."""

import math

import torch


@torch.compile
def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions[..., None] * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    x1, x2 = x[..., 0::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., 0::2] = x1 * cos - x2 * sin
    out[..., 1::2] = x1 * sin + x2 * cos
    return out


def softmax(x, dim):
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


@torch.compile
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = softmax(scores, dim=-1)
    return weights @ V


@torch.compile
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
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape

    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    Q = Q.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)

    out = scaled_dot_product_attention(Q, K, V)
    out = out.transpose(-3, -2).reshape(*batch, seq, d_model)
    return out @ o_proj_weight.T
