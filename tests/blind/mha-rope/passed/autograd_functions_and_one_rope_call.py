"""Right: rope and softmax as autograd.Functions with right backwards; q and k go through rope in one call."""

import torch
from torch.autograd import Function


def _rotate(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).reshape(x.shape)


class Rotate(Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        return _rotate(x, cos, sin)

    @staticmethod
    def backward(ctx, dy):
        cos, sin = ctx.saved_tensors
        return _rotate(dy, cos, -sin), None, None  # the inverse turn


class Softmax(Function):
    @staticmethod
    def forward(ctx, s):
        p = (s - s.max(dim=-1, keepdim=True).values).exp_()
        p /= p.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, dp):
        (p,) = ctx.saved_tensors
        return p * (dp - (dp * p).sum(dim=-1, keepdim=True))


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=torch.float64)
    angle = token_positions.unsqueeze(-1) * float(theta) ** (-2 * i / d_k)
    return Rotate.apply(in_query_or_key, angle.cos().to(in_query_or_key), angle.sin().to(in_query_or_key))


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = (Q @ K.mT) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        s = torch.where(mask, s, float("-inf"))
    return Softmax.apply(s) @ V


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
    d_head, rest = divmod(d_model, num_heads)
    assert rest == 0
    seq = in_features.shape[-2]
    weights = torch.stack([q_proj_weight, k_proj_weight, v_proj_weight])
    # (3, ..., seq, d_model)
    qkv = torch.einsum("...si,toi->t...so", in_features, weights)
    q, k, v = qkv.reshape(qkv.shape[:-1] + (num_heads, d_head)).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.expand(in_features.shape[:-1]) if in_features.ndim > 2 else token_positions[0]
        token_positions = token_positions.unsqueeze(-2)
    q, k = rope(d_head, theta, max_seq_len, torch.stack((q, k)), token_positions)
    y = scaled_dot_product_attention(q, k, v)
    return torch.einsum("...hsd,ohd->...so", y, o_proj_weight.reshape(d_model, num_heads, d_head))
