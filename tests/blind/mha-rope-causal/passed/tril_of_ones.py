"""A lower triangle of ones is the mask."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V)


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape

    def heads(weight):
        y = in_features @ weight.T
        return y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # one axis for the heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    causal = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device))
    out = scaled_dot_product_attention(q, k, v, causal)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
