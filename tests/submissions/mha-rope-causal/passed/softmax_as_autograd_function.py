"""The softmax with a forward and a backward of its own."""

import torch
from einops import rearrange
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


class StableSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        e = (scores - scores.max(dim=-1, keepdim=True)[0]).exp()
        p = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (g * p).sum(-1, keepdim=True))


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return StableSoftmax.apply(scores) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} must be divisible by num_heads={num_heads}")
    q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    k = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    v = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    q = rearrange(q, "... s (h d) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (h d) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (h d) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    out = scaled_dot_product_attention(q, k, v, torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).tril())
    out = rearrange(out, "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
