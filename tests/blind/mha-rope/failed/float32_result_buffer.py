"""The result is written into a buffer of the default dtype, so that float64 comes back as float32.

Shows for float64 inputs.
"""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    columns = []
    for i in range(d_k // 2):
        angle = token_positions.double() * (theta ** (-2 * i / d_k))
        c = torch.cos(angle).to(in_query_or_key.dtype)
        s = torch.sin(angle).to(in_query_or_key.dtype)
        a = in_query_or_key[..., 2 * i]
        b = in_query_or_key[..., 2 * i + 1]
        columns.append(c * a - s * b)
        columns.append(s * a + c * b)
    return torch.stack(columns, dim=-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    num_queries = Q.shape[-2]
    num_keys = K.shape[-2]
    if mask is not None:
        mask = torch.broadcast_to(mask, Q.shape[:-2] + (num_queries, num_keys))
    rows = []
    for i in range(num_queries):
        # scores of query i with all keys
        score = torch.sum(Q[..., i : i + 1, :] * K, dim=-1) / Q.shape[-1] ** 0.5
        if mask is not None:
            score = torch.where(mask[..., i, :], score, torch.full_like(score, float("-inf")))
        weight = torch.softmax(score, dim=-1)
        rows.append(torch.sum(weight.unsqueeze(-1) * V, dim=-2))
    return torch.stack(rows, dim=-2)


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
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    # all leading axes become one
    x = in_features.reshape(-1, seq, d_model)
    n = x.shape[0]
    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    positions = token_positions.reshape(-1, seq)
    if positions.shape[0] != n:
        positions = positions.expand(n, seq)

    results = torch.zeros(n, seq, d_model)
    for b in range(n):
        q = (x[b] @ q_proj_weight.T).reshape(seq, num_heads, d_head).transpose(0, 1)
        k = (x[b] @ k_proj_weight.T).reshape(seq, num_heads, d_head).transpose(0, 1)
        v = (x[b] @ v_proj_weight.T).reshape(seq, num_heads, d_head).transpose(0, 1)
        q = rope(d_head, theta, max_seq_len, q, positions[b])
        k = rope(d_head, theta, max_seq_len, k, positions[b])
        out = scaled_dot_product_attention(q, k, v)
        out = out.transpose(0, 1).reshape(seq, d_model)
        results[b] = out @ o_proj_weight.T
    return results.reshape(in_features.shape)
