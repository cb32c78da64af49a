"""Pairs feature i with feature i + d_k/2.

Idea: The first half of the features is paired with the second half and not each feature with its neighbour.
Where: everywhere (except d_head = 2)
Id: half-split-rope
"""

import math

import torch
from torch import Tensor


def _rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angle = token_positions[..., None].double() * torch.cat([freqs, freqs])
    return x * angle.cos().to(x.dtype) + _rotate_half(x) * angle.sin().to(x.dtype)


def _softmax(scores: Tensor) -> Tensor:
    shifted = scores - scores.amax(dim=-1, keepdim=True).detach()
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    return torch.matmul(_softmax(scores), V)


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
    if rest:
        raise ValueError("heads do not divide the model dimension")
    x = in_features
    seq = x.shape[-2]
    qkv = x @ torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0).T
    qkv = qkv.unflatten(-1, (3, num_heads, d_head)).movedim(-3, 0).transpose(-3, -2)
    q, k, v = qkv.unbind(0)

    positions = torch.arange(seq, device=x.device) if token_positions is None else token_positions
    if positions.ndim != 1:
        positions = positions[..., None, :]
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v).movedim(-3, -2).flatten(-2)
    return torch.matmul(y, o_proj_weight.t()).view_as(x)
