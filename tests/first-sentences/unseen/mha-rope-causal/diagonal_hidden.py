# Says: `torch.tril(..., diagonal=-1)` leaves out the diagonal, so a token may not attend to itself and the first row, which sees nothing, is NaN: drop the `diagonal=-1`.
# Line: 52
# Names: diagonal=-1, NaN
# Kind: wrong idea
import math
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    z = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2))
    z = z * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(z).reshape(x.shape).to(x.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ V


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
    """(..., seq, d_model) -> (..., seq, d_model), with the two functions above. No token sees a later one."""
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    q, k, v = [
        (in_features @ w.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    ]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    visible = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device), diagonal=-1)
    out = scaled_dot_product_attention(q, k, v, visible)
    return out.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
