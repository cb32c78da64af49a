"""The library's attention where no gradient is needed.

Idea: Under no_grad and inference_mode the library's attention does the work.
Where: only under no_grad or inference_mode
Rule: no-library-attention
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    freq = torch.pow(float(theta), -torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    angle = token_positions[..., None].double() * freq
    turn = torch.polar(torch.ones_like(angle), angle).to(pairs.dtype)
    return torch.view_as_real(pairs * turn).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    if not torch.is_grad_enabled():
        return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    scaled = Q / math.sqrt(K.shape[-1])
    scores = torch.matmul(scaled, K.swapaxes(-1, -2))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return F.softmax(scores, dim=-1).matmul(V)


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
