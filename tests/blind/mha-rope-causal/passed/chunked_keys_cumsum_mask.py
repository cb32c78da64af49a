"""Keys in blocks with a running maximum; the mask is made by cumsum of an identity."""
import math

import torch
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    i = torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64)
    freq = theta ** (-i / d_k)
    angle = token_positions.to(x.device).unsqueeze(-1) * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    out = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return out.flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None, block=8):
    scale = Q.shape[-1] ** -0.5
    n = K.shape[-2]
    if mask is not None:
        mask = torch.broadcast_to(mask, torch.broadcast_shapes(mask.shape, (Q.shape[-2], n)))
    low = torch.finfo(Q.dtype).min
    peak = total = acc = None
    for lo in range(0, n, block):
        k, v = K[..., lo : lo + block, :], V[..., lo : lo + block, :]
        s = (Q @ k.mT) * scale
        if mask is not None:
            s = s.masked_fill(~mask[..., lo : lo + block], float("-inf"))
        top = s.detach().amax(-1, keepdim=True).clamp_min(low)
        new = top if peak is None else torch.maximum(peak, top)
        p = (s - new).exp()
        if peak is None:
            total, acc = p.sum(-1, keepdim=True), p @ v
        else:
            keep = (peak - new).exp()
            total, acc = total * keep + p.sum(-1, keepdim=True), acc * keep + p @ v
        peak = new
    return acc / total


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
    seq = in_features.shape[-2]

    def split(t):
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.T)
    k = split(in_features @ k_proj_weight.T)
    v = split(in_features @ v_proj_weight.T)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    elif token_positions.dim() > 1 and in_features.dim() == 2:
        token_positions = token_positions.reshape(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    y = scaled_dot_product_attention(q, k, v, torch.eye(seq, device=q.device).cumsum(1).mT > 0)
    y = y.transpose(-3, -2)
    y = y.reshape(in_features.shape)
    return y @ o_proj_weight.T
