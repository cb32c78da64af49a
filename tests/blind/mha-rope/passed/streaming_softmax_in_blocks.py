"""Attention runs over blocks of keys with a running maximum, as flash attention does."""

import torch

BLOCK = 16


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    log_theta = torch.log(torch.tensor(float(theta), dtype=torch.float64, device=x.device))
    steps = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k
    alpha = token_positions.to(x.device).double().unsqueeze(-1) * torch.exp(-steps * log_theta)
    c = torch.cos(alpha).to(x.dtype)
    s = torch.sin(alpha).to(x.dtype)
    y = torch.empty_like(x)
    y[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    y[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return y


def scaled_dot_product_attention(Q, K, V, mask=None):
    n_queries, n_keys = Q.shape[-2], K.shape[-2]
    lead = Q.shape[:-2]
    Q = Q / Q.shape[-1] ** 0.5
    if mask is not None:
        mask = mask.expand(*lead, n_queries, n_keys)

    top = Q.new_full((*lead, n_queries, 1), torch.finfo(Q.dtype).min)
    total = Q.new_zeros((*lead, n_queries, 1))
    out = Q.new_zeros((*lead, n_queries, V.shape[-1]))
    for start in range(0, n_keys, BLOCK):
        part = slice(start, start + BLOCK)
        scores = Q @ K[..., part, :].transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask[..., part], float("-inf"))
        new_top = torch.maximum(top, scores.detach().amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        weight = torch.exp(scores - new_top)
        total = total * shrink + weight.sum(dim=-1, keepdim=True)
        out = out * shrink + weight @ V[..., part, :]
        top = new_top
    return out / total


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
    if d_model % num_heads != 0:
        raise AssertionError("num_heads must divide d_model")
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape

    if token_positions is None:
        pos = torch.arange(seq, device=in_features.device)
    elif token_positions.dim() == 1 or not batch:
        pos = token_positions.reshape(seq)
    else:
        pos = token_positions[..., None, :]

    def project(weight):
        return (in_features @ weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    q = rope(d_head, theta, max_seq_len, project(q_proj_weight), pos)
    k = rope(d_head, theta, max_seq_len, project(k_proj_weight), pos)
    attended = scaled_dot_product_attention(q, k, project(v_proj_weight))
    return attended.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
