"""Right: pasted from a chat assistant, with a class for the rotation, section banners and a demonstration at the end."""
import math
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class RotaryEmbedding(nn.Module):
    """Precomputes cos/sin for all positions below ``max_seq_len``."""

    def __init__(self, d_k: int, theta: float, max_seq_len: int, device=None):
        super().__init__()
        inv_freq = theta ** (-torch.arange(0, d_k, 2, device=device, dtype=torch.float64) / d_k)
        t = torch.arange(max_seq_len, device=device, dtype=torch.float64)
        freqs = torch.outer(t, inv_freq)
        self.register_buffer("cos", freqs.cos(), persistent=False)
        self.register_buffer("sin", freqs.sin(), persistent=False)

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        cos = self.cos[positions].to(x.dtype)
        sin = self.sin[positions].to(x.dtype)
        x1, x2 = x[..., ::2], x[..., 1::2]
        return torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1).flatten(-2)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    return RotaryEmbedding(d_k, theta, max_seq_len, in_query_or_key.device)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None) -> Tensor:
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(F.softmax(scores, dim=-1), V)


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
    # --- Step 0: validation -------------------------------------------------
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    seq_len = in_features.shape[-2]
    device = in_features.device

    # --- Step 1: projections ------------------------------------------------
    qkv = torch.cat((q_proj_weight, k_proj_weight, v_proj_weight), dim=0)
    q, k, v = F.linear(in_features, qkv).chunk(3, dim=-1)

    # --- Step 2: heads ------------------------------------------------------
    def to_heads(t: Tensor) -> Tensor:
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q, k, v = to_heads(q), to_heads(k), to_heads(v)

    # --- Step 3: RoPE -------------------------------------------------------
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=device)
    pos = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)

    # --- Step 4: causal attention -------------------------------------------
    causal_mask = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=device))
    out = scaled_dot_product_attention(q, k, v, causal_mask)

    # --- Step 5: merge ------------------------------------------------------
    out = out.transpose(-3, -2).contiguous().view(*in_features.shape[:-1], d_model)
    return F.linear(out, o_proj_weight)


if __name__ == "__main__":
    eye = torch.eye(2)
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    y = multihead_self_attention_with_rope(2, 1, 8, 1e4, eye, eye, eye, eye, x)
    assert torch.allclose(y, torch.tensor([[1.0, 0.0], [0.2138, 0.7862]]), atol=1e-4), y
    print("looks good:", y.tolist())
