"""Attention walks over blocks of three keys with a running maximum and denominator, as flash attention does."""

import torch

BLOCK = 3


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k, device=in_query_or_key.device)
    angle = token_positions.double().unsqueeze(-1) * float(theta) ** (-(i - i % 2).double() / d_k)
    partner = in_query_or_key[..., i ^ 1]
    sign = 2 * (i % 2) - 1
    return in_query_or_key * angle.cos().to(in_query_or_key) + partner * (sign * angle.sin()).to(in_query_or_key)


def scaled_dot_product_attention(Q, K, V, mask=None):
    queries, keys = Q.shape[-2], K.shape[-2]
    if mask is not None:
        mask = mask.expand(*mask.shape[:-2], queries, keys) if mask.ndim > 1 else mask.expand(queries, keys)
    top = torch.full((*Q.shape[:-1], 1), torch.finfo(Q.dtype).min, dtype=Q.dtype, device=Q.device)
    total, acc = torch.zeros_like(top), 0.0
    for start in range(0, keys, BLOCK):
        stop = start + BLOCK
        scores = Q @ K[..., start:stop, :].mT / Q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[..., start:stop], -torch.inf)
        new_top = torch.maximum(top, scores.detach().amax(-1, keepdim=True))
        shrink, part = torch.exp(top - new_top), torch.exp(scores - new_top)
        total = total * shrink + part.sum(-1, keepdim=True)
        acc = acc * shrink + part @ V[..., start:stop, :]
        top = new_top
    return acc / total


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    seq, lead = in_features.shape[-2], in_features.shape[:-2]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.flatten() if pos.numel() == seq else pos.unsqueeze(-2)
    q, k, v = (
        torch.nn.functional.linear(in_features, w).view(*lead, seq, num_heads, -1).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(q.shape[-1], theta, max_seq_len, t, pos) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*lead, seq, d_model)
    return torch.nn.functional.linear(y, o_proj_weight)
