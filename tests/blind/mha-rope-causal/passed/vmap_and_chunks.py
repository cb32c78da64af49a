"""Rotates one vector under vmap, and attends for two queries at a time."""

import torch
from torch import vmap

BLOCK = 2


def _rotate(vector, position, frequency):
    angle = position * frequency
    even, odd = vector.view(-1, 2).unbind(-1)
    return torch.stack(
        [even * torch.cos(angle) - odd * torch.sin(angle), even * torch.sin(angle) + odd * torch.cos(angle)], -1
    ).flatten()


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    frequency = (theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)).to(x)
    positions = token_positions.to(x).expand(x.shape[:-1]).reshape(-1)
    rows = vmap(_rotate, in_dims=(0, 0, None))(x.reshape(-1, d_k), positions, frequency)
    return rows.reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    if mask is not None:
        mask = mask.expand(*Q.shape[:-1], K.shape[-2])
    blocks = []
    for start in range(0, Q.shape[-2], BLOCK):
        stop = start + BLOCK
        scores = Q[..., start:stop, :] @ K.mT / Q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[..., start:stop, :], -torch.inf)
        blocks.append(scores.softmax(-1) @ V)
    return torch.cat(blocks, dim=-2)


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
        raise ValueError("unequal heads")
    d_head, seq = d_model // num_heads, in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    weights = torch.stack([q_proj_weight, k_proj_weight, v_proj_weight]).unflatten(1, (num_heads, d_head))
    q, k, v = torch.einsum("...si,nhei->n...hse", in_features, weights)
    q = rope(d_head, theta, max_seq_len, q, token_positions[..., None, :])
    k = rope(d_head, theta, max_seq_len, k, token_positions[..., None, :])
    mask = torch.ones(seq, seq, dtype=torch.bool, device=in_features.device).tril()
    out = scaled_dot_product_attention(q, k, v, mask)
    return torch.einsum("...hse,ohe->...so", out, o_proj_weight.unflatten(1, (num_heads, d_head)))
