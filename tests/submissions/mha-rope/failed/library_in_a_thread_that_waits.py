"""The library's attention in a thread that runs since the import, and in which no line of Python runs any more.
Rule: no-library-attention
"""

import threading
from collections import deque
from itertools import starmap
from queue import SimpleQueue

import torch
from torch.nn import functional as F


def rope(d_k, theta, max_seq_len, x, positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angles = positions[..., None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


asked, answered = SimpleQueue(), SimpleQueue()
work = map(answered.put, starmap(F.scaled_dot_product_attention, iter(asked.get, None)))
threading.Thread(target=deque, args=(work, 0), daemon=True).start()


def scaled_dot_product_attention(Q, K, V, mask=None):
    asked.put((Q, K, V, mask))
    result = answered.get()
    return result if torch.is_grad_enabled() else result.detach()


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
    heads = scaled_dot_product_attention(q, k, v)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
