"""The library's attention inside an operator that the file registers.
Rule: no-library-attention
"""

import torch
@torch.library.custom_op("mine::attend_all", mutates_args=())
def attend_all(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    return getattr(torch.nn.functional, "scaled_dot_" + "product_attention")(q, k, v, mask).clone()
def setup(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:3]); ctx.m = inputs[3]
def back(ctx, g):
    with torch.enable_grad():
        q, k, v = [x.detach().requires_grad_() for x in ctx.saved_tensors]
        s = q @ k.mT / q.shape[-1] ** 0.5
        return (*torch.autograd.grad(torch.softmax(s, -1) @ v, (q, k, v), g), None)
attend_all.register_autograd(back, setup_context=setup)


import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k)
    angles = token_positions[..., None] * frequencies
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return attend_all(Q, K, V, mask)


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
