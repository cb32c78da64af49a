"""The attention works through the keys in blocks with a running maximum and a running sum, as flash attention does."""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    log_theta = math.log(theta)
    exponent = torch.linspace(0, d_k - 2, d_k // 2, dtype=torch.float64, device=in_query_or_key.device) / d_k
    angle = token_positions.to(torch.float64).unsqueeze(-1) * torch.exp(-log_theta * exponent)
    cos, sin = (f(angle).to(in_query_or_key.dtype) for f in (torch.cos, torch.sin))
    x, y = in_query_or_key.reshape(*in_query_or_key.shape[:-1], d_k // 2, 2).unbind(dim=-1)
    return torch.stack((cos * x - sin * y, sin * x + cos * y), dim=-1).reshape(in_query_or_key.shape)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, block: int = 16) -> Tensor:
    n_keys = K.shape[-2]
    Q = Q / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = torch.broadcast_to(mask, Q.shape[:-1] + (n_keys,))

    running_max = torch.full(Q.shape[:-1] + (1,), -torch.inf, dtype=Q.dtype, device=Q.device)
    running_sum = torch.zeros_like(running_max)
    acc = torch.zeros(Q.shape[:-1] + (V.shape[-1],), dtype=Q.dtype, device=Q.device)

    for start in range(0, n_keys, block):
        stop = min(start + block, n_keys)
        scores = Q @ K[..., start:stop, :].transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask[..., start:stop], -torch.inf)
        new_max = torch.maximum(running_max, scores.detach().amax(dim=-1, keepdim=True))
        anchor = torch.where(new_max.isinf(), 0.0, new_max)  # nothing seen so far: any finite number will do
        p = torch.exp(scores - anchor)
        shrink = torch.exp(running_max - anchor)
        running_sum = running_sum * shrink + p.sum(dim=-1, keepdim=True)
        acc = acc * shrink + p @ V[..., start:stop, :]
        running_max = new_max
    return acc / running_sum


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
    assert d_model % num_heads == 0, (d_model, num_heads)
    d_head = d_model // num_heads
    *lead, n, _ = in_features.shape
    place = torch.arange(n, device=in_features.device)

    pos = place if token_positions is None else token_positions
    pos = pos.expand(*lead, n) if pos.dim() <= len(lead) + 1 else pos.squeeze(0)
    pos = pos.unsqueeze(-2)

    def project(weight: Tensor, turn: bool) -> Tensor:
        y = torch.einsum("...i,oi->...o", in_features, weight)
        y = y.reshape(*lead, n, num_heads, d_head).transpose(-3, -2)
        return rope(d_head, theta, max_seq_len, y, pos) if turn else y

    mask = ~(place[None, :] > place[:, None])
    seen = scaled_dot_product_attention(
        project(q_proj_weight, turn=True), project(k_proj_weight, turn=True), project(v_proj_weight, turn=False), mask
    )
    merged = seen.transpose(-3, -2).reshape(*lead, n, d_model)
    return torch.einsum("...i,oi->...o", merged, o_proj_weight)
