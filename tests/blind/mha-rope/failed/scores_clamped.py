"""The scores are clamped to -50 ... 50 so that exp cannot overflow.

Shows for scores of several hundred, above or below zero.
"""

import torch
from torch import Tensor


def _angles(d_k: int, theta: float, positions: Tensor, device) -> Tensor:
    pair = torch.arange(d_k // 2, device=device).double()
    return positions.to(device).double()[..., None] * float(theta) ** (-2 * pair / d_k)


def _quarter_turn(x: Tensor) -> Tensor:
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)


def rope(d_k: int, theta: float, max_seq_len: int, x: Tensor, positions: Tensor) -> Tensor:
    angle = _angles(d_k, theta, positions, x.device).repeat_interleave(2, dim=-1)
    return x * angle.cos().to(x.dtype) + _quarter_turn(x) * angle.sin().to(x.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = (Q * Q.shape[-1] ** -0.5) @ K.mT
    scores = scores.clamp(-50, 50)  # keeps exp in range
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    largest = scores.detach().amax(dim=-1, keepdim=True)
    e = torch.exp(scores - largest)
    return (e @ V) / e.sum(dim=-1, keepdim=True)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_weight: Tensor,
    k_weight: Tensor,
    v_weight: Tensor,
    o_weight: Tensor,
    x: Tensor,
    positions: Tensor | None = None,
) -> Tensor:
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq = x.shape[-2]

    if positions is None:
        positions = torch.arange(seq, device=x.device)
    positions = positions.reshape(positions.shape[:-1] + (1, seq))
    if x.ndim == 2:
        positions = positions.reshape(1, seq)

    fused = torch.cat((q_weight, k_weight, v_weight))
    qkv = (x @ fused.T).reshape(*x.shape[:-1], 3, num_heads, d_head)
    q, k, v = (part.transpose(-3, -2) for part in qkv.unbind(dim=-3))
    q, k = rope(d_head, theta, max_seq_len, torch.stack((q, k)), positions)
    heads = scaled_dot_product_attention(q, k, v)
    return heads.transpose(-3, -2).reshape(x.shape) @ o_weight.T
