"""The parts are called for show, and then give None: nothing of it can be altered.
Rule: uses-own-attention
"""

import torch


def rope(d_k, theta, max_seq_len, x, positions, for_show=False):
    if for_show:
        return None
    return turned(d_k, theta, x, positions)


def scaled_dot_product_attention(Q, K, V, mask=None, for_show=False):
    if for_show:
        return None
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V


def turned(d_k, theta, x, positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angles = positions[..., None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


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
    rope(d_head, theta, max_seq_len, q, positions, True)
    scaled_dot_product_attention(q, k, v, None, True)
    angles = positions[..., None] * theta ** (-torch.arange(0, d_head, 2) / d_head)
    cos, sin = angles.cos().to(q.dtype).repeat_interleave(2, -1), angles.sin().to(q.dtype).repeat_interleave(2, -1)
    crossed = (torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2) for x in (q, k))
    q, k = (x * cos + y * sin for x, y in zip((q, k), crossed, strict=True))
    heads = torch.softmax(q @ k.mT / d_head**0.5, dim=-1) @ v
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
