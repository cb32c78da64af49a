"""Rotates the projections before the split, with frequencies that run over the whole of d_model."""
# expect: rotates before splitting into heads
import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions, rotary_dim=None):
    n = rotary_dim or d_k
    head, tail = in_query_or_key.split((n, d_k - n), dim=-1)
    steps = torch.arange(n // 2, device=head.device, dtype=torch.float64).mul(-2 / n)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * torch.pow(torch.tensor(theta, dtype=torch.float64), steps)
    cos, sin = (f(angles).to(head.dtype) for f in (torch.cos, torch.sin))
    a, b = head[..., ::2], head[..., 1::2]
    turned = torch.stack((a * cos - b * sin, b * cos + a * sin), -1).flatten(-2)
    return torch.cat((turned, tail), -1)


def scaled_dot_product_attention(Q, K, V, mask=None, scale=None):
    scale = 1 / math.sqrt(Q.shape[-1]) if scale is None else scale
    scores = torch.matmul(Q * scale, K.transpose(-2, -1))
    if mask is not None:
        scores = torch.masked_fill(scores, torch.logical_not(mask), torch.finfo(scores.dtype).min)
    return torch.matmul(torch.nn.functional.softmax(scores, -1), V)


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
    context=None,
    num_kv_heads=None,
):
    kv_heads = num_kv_heads or num_heads
    if d_model % num_heads or num_heads % kv_heads:
        raise ValueError("heads and groups have to divide")
    d = d_model // num_heads
    source = in_features if context is None else context
    q = in_features @ q_proj_weight.T
    k = source @ k_proj_weight.T
    v = (source @ v_proj_weight.T).unflatten(-1, (kv_heads, d)).transpose(-2, -3)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    q = rope(d_model, theta, max_seq_len, q, token_positions)
    k = rope(d_model, theta, max_seq_len, k, token_positions)
    q, k = (t.unflatten(-1, (-1, d)).transpose(-2, -3) for t in (q, k))
    if kv_heads != num_heads:
        k, v = (t.repeat_interleave(num_heads // kv_heads, -3) for t in (k, v))
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-2, -3).flatten(-2) @ o_proj_weight.T
