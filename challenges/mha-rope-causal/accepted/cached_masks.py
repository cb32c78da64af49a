"""Tables and masks are made once for each size, and kept; positions in float32."""

from functools import lru_cache

import torch


@lru_cache(maxsize=16)
def tables(d_k, theta, length, device):
    inverse = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=device)[: d_k // 2].float() / d_k))
    angles = torch.outer(torch.arange(length, device=device, dtype=torch.float32), inverse)
    return torch.cos(angles), torch.sin(angles)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = (table[token_positions] for table in tables(d_k, float(theta), max_seq_len, in_query_or_key.device))
    dtype = in_query_or_key.dtype
    x1, x2 = in_query_or_key.float().reshape(*in_query_or_key.shape[:-1], d_k // 2, 2).unbind(-1)
    return torch.cat(((x1 * cos - x2 * sin)[..., None], (x1 * sin + x2 * cos)[..., None]), dim=-1).flatten(-2).to(dtype)


def softmax(x, dim=-1):
    peak, _ = x.max(dim, keepdim=True)
    exponentials = (x - peak).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) / torch.sqrt(torch.tensor(Q.size(-1), dtype=Q.dtype, device=Q.device))
    if mask is not None:
        scores.masked_fill_(~mask, float("-inf"))
    return softmax(scores) @ V


@lru_cache(maxsize=32)
def lower_triangle(seq, device):
    return torch.ones((seq, seq), dtype=torch.bool, device=device).tril_()


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
        raise AssertionError("d_model % num_heads != 0")
    *batch, seq, _ = in_features.shape
    d_head = d_model // num_heads
    x = in_features.reshape(-1, seq, d_model)
    q, k, v = (x @ torch.vstack((q_proj_weight, k_proj_weight, v_proj_weight)).T).chunk(3, dim=-1)
    q, k, v = (y.reshape(-1, seq, num_heads, d_head).permute(0, 2, 1, 3) for y in (q, k, v))
    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    positions = torch.broadcast_to(token_positions, (*batch, seq)).reshape(-1, 1, seq)
    q = rope(d_head, theta, max_seq_len, q, positions)
    k = rope(d_head, theta, max_seq_len, k, positions)
    merged = (
        scaled_dot_product_attention(q, k, v, lower_triangle(seq, q.device))
        .permute(0, 2, 1, 3)
        .reshape(*batch, seq, d_model)
    )
    return merged.matmul(o_proj_weight.T)
