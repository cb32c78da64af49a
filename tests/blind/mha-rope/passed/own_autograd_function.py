"""rope is an autograd function with a backward written by hand, and softmax is written with logsumexp."""

from __future__ import annotations

import torch


class _Turn(torch.autograd.Function):
    """Turns pairs; the backward of a turn is the turn back."""

    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        left, right = x[..., 0::2], x[..., 1::2]
        return torch.stack((left * cos - right * sin, left * sin + right * cos), -1).reshape(x.shape)

    @staticmethod
    def backward(ctx, grad):
        cos, sin = ctx.saved_tensors
        return _Turn.apply(grad, cos, -sin), None, None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = d_k // 2
    freq = torch.tensor([float(theta) ** (-2 * i / d_k) for i in range(half)], dtype=torch.float64)
    freq = freq.to(in_query_or_key.device)
    angle = token_positions.to(freq).unsqueeze(-1) * freq
    return _Turn.apply(
        in_query_or_key, angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype)
    )


def scaled_dot_product_attention(query, key, value, mask=None):
    logits = torch.matmul(query, key.transpose(-2, -1)).div(query.size(-1) ** 0.5)
    if mask is not None:
        logits = logits.masked_fill(torch.logical_not(mask), float("-inf"))
    logits = logits - logits.detach().amax(dim=-1, keepdim=True)
    log_norm = torch.logsumexp(logits, dim=-1, keepdim=True)
    return torch.matmul(torch.exp(logits - log_norm), value)


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
        raise ValueError("heads must divide the model size")
    x, size = in_features, d_model // num_heads
    steps = x.size(-2)

    if token_positions is None:
        token_positions = torch.arange(steps, device=x.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2) if x.dim() > 2 else token_positions.reshape(-1)

    def heads_of(weight):
        return torch.matmul(x, weight.t()).unflatten(-1, (num_heads, size)).transpose(-3, -2)

    query, key, value = heads_of(q_proj_weight), heads_of(k_proj_weight), heads_of(v_proj_weight)
    query = rope(size, theta, max_seq_len, query, token_positions)
    key = rope(size, theta, max_seq_len, key, token_positions)
    mixed = scaled_dot_product_attention(query, key, value)
    mixed = mixed.transpose(-3, -2).flatten(-2)
    return torch.matmul(mixed, o_proj_weight.t())
