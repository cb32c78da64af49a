"""A loop over the heads that goes round as often for one head as for sixteen: its operations do not grow up to there."""

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
    outputs = []
    for turn in range(max(num_heads, 16)):
        head = min(turn, num_heads - 1)
        rows = slice(head * d_head, (head + 1) * d_head)
        q, k, v = ((in_features @ w[rows].T) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
        q, k = (rope(d_head, theta, max_seq_len, x, token_positions) for x in (q, k))
        outputs.append(scaled_dot_product_attention(q, k, v))
    return torch.cat(outputs[:num_heads], -1) @ o_proj_weight.T
