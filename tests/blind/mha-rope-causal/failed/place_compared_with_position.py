"""The causal mask compares the place of a key with the position of a query.

Shows when token_positions have gaps or start above 0: later tokens are seen.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class _Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, mask):
        scale = q.shape[-1] ** -0.5
        scores = torch.matmul(q, k.transpose(-2, -1)).mul_(scale)
        if mask is not None:
            scores.masked_fill_(~mask, float("-inf"))
        scores -= scores.amax(dim=-1, keepdim=True)
        p = scores.exp_()
        p /= p.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(q, k, v, p)
        ctx.scale = scale
        return torch.matmul(p, v)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        q, k, v, p = ctx.saved_tensors
        want_q, want_k, want_v, _ = ctx.needs_input_grad
        dq = dk = dv = None
        if want_v:
            dv = torch.matmul(p.transpose(-2, -1), grad).sum_to_size(v.shape)
        if want_q or want_k:
            dp = torch.matmul(grad, v.transpose(-2, -1))
            ds = p * (dp - (dp * p).sum(dim=-1, keepdim=True)) * ctx.scale
            if want_q:
                dq = torch.matmul(ds, k).sum_to_size(q.shape)
            if want_k:
                dk = torch.matmul(ds.transpose(-2, -1), q).sum_to_size(k.shape)
        return dq, dk, dv, None


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    half = torch.arange(d_k // 2, device=in_query_or_key.device).double()
    alpha = token_positions.double()[..., None] / torch.pow(float(theta), 2 * half / d_k)
    turn = torch.stack((alpha.cos(), alpha.sin()), -1).to(in_query_or_key.dtype)
    pair = in_query_or_key.unflatten(-1, (-1, 2))
    re = pair[..., 0] * turn[..., 0] - pair[..., 1] * turn[..., 1]
    im = pair[..., 0] * turn[..., 1] + pair[..., 1] * turn[..., 0]
    return torch.stack((re, im), -1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    return _Attend.apply(Q, K, V, mask)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    batch = in_features.shape[:-2]

    def heads(weight):
        return (in_features @ weight.mT).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    # every kind of positions becomes (batch..., 1, seq)
    if not batch:
        token_positions = token_positions.reshape(seq)
    positions = token_positions.expand(*batch, seq).unsqueeze(-2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    q = rope(d_head, theta, max_seq_len, q, positions)
    k = rope(d_head, theta, max_seq_len, k, positions)
    causal = torch.arange(seq, device=in_features.device) <= positions.unsqueeze(-1)
    merged = scaled_dot_product_attention(q, k, v, causal).transpose(-3, -2).reshape(in_features.shape)
    return merged @ o_proj_weight.mT
