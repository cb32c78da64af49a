"""One vmap for each leading axis; a loop over pairs."""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    import math

    columns = []
    for i in range(d_k // 2):
        freq = math.exp(-2 * i / d_k * math.log(theta))
        angle = token_positions * freq
        c, s = torch.cos(angle), torch.sin(angle)
        a = in_query_or_key[..., 2 * i]
        b = in_query_or_key[..., 2 * i + 1]
        columns.append(a * c - b * s)
        columns.append(a * s + b * c)
    return torch.stack(columns, dim=-1).to(in_query_or_key.dtype)


def _one(q, k, v):
    return torch.softmax(q @ k.T / math.sqrt(q.shape[-1]), dim=-1) @ v


def scaled_dot_product_attention(Q, K, V, mask=None):
    if mask is None:
        fn = _one
        for _ in range(Q.ndim - 2):
            fn = torch.func.vmap(fn)
        return fn(Q, K, V)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1) @ V


def _project(x, weight):
    return x @ weight.mT


def _to_heads(x, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)"""
    return torch.stack(x.chunk(num_heads, dim=-1), dim=-3)


def _from_heads(x):
    return x.transpose(-3, -2).flatten(-2)


def _positions(token_positions, x):
    if token_positions is not None:
        return token_positions.unsqueeze(-2)
    return torch.arange(x.shape[-2], device=x.device).unsqueeze(0)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    d_head = d_model // num_heads
    pos = _positions(token_positions, in_features)
    query = _to_heads(_project(in_features, q_proj_weight), num_heads)
    key = _to_heads(_project(in_features, k_proj_weight), num_heads)
    value = _to_heads(_project(in_features, v_proj_weight), num_heads)
    query = rope(d_head, theta, max_seq_len, query, pos)
    key = rope(d_head, theta, max_seq_len, key, pos)
    return _project(_from_heads(scaled_dot_product_attention(query, key, value)), o_proj_weight)
