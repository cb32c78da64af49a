"""A loop over heads in another thread, in which nothing of its own is called.
Rule: no-loop-over-heads
"""

import threading, torch
def ask(q, k, v):
    done = []
    def work():
        for h in range(1, q.shape[-3]):
            s = q[..., h, :, :] @ k[..., h, :, :].mT / q.shape[-1] ** 0.5
            done.append(torch.softmax(s, dim=-1) @ v[..., h, :, :])
    t = threading.Thread(target=work); t.start(); t.join()
    return torch.stack(done, -3)


import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k)
    angles = token_positions[..., None] * frequencies
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V


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
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = token_positions[..., None, :] if token_positions.ndim > 1 else token_positions
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for w in weights)
    q, k = (rope(d_head, theta, max_seq_len, x, positions) for x in (q, k))
    first = scaled_dot_product_attention(q[..., :1, :, :], k[..., :1, :, :], v[..., :1, :, :])
    heads = first if num_heads == 1 else torch.cat([first, ask(q, k, v)], dim=-3)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
