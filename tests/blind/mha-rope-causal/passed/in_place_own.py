import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    # sizes: x (..., seq, d_k), positions (..., seq)
    out = torch.empty_like(in_query_or_key)
    freqs = torch.tensor([theta ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=torch.float64, device=out.device)
    theta_m = torch.einsum("...s,i->...si", token_positions.to(torch.float64), freqs)
    cos, sin = theta_m.cos().to(out.dtype), theta_m.sin().to(out.dtype)
    x1, x2 = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    y1 = x1 * cos - x2 * sin
    y2 = x1 * sin + x2 * cos
    if y1.shape != x1.shape:  # positions had more axes than x
        out = out.expand(*y1.shape[:-1], d_k).clone()
    out[..., ::2] = y1
    out[..., 1::2] = y2
    return out


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    att = Q @ K.transpose(-1, -2)
    att = att / (K.shape[-1] ** 0.5)
    if mask is not None:
        att = torch.where(mask, att, torch.full_like(att, -1e30))
    att = att - att.max(dim=-1, keepdim=True).values
    att = att.exp()
    att = att / att.sum(dim=-1, keepdim=True)
    return att @ V


def multihead_self_attention_with_rope(
    d_model: int, num_heads: int, max_seq_len: int, theta: float,
    q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor,
    in_features: Tensor, token_positions: Tensor | None = None,
) -> Tensor:
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d = d_model // num_heads
    seq = in_features.size(-2)
    shape = in_features.shape[:-1]
    split = lambda w: (in_features @ w.t()).reshape(shape + (num_heads, d)).transpose(-3, -2)
    Q, K, V = split(q_proj_weight), split(k_proj_weight), split(v_proj_weight)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.expand(*shape) if token_positions.dim() <= len(shape) else token_positions.reshape(shape)
    pos = pos.unsqueeze(-2).expand(*shape[:-1], num_heads, seq)
    Q = rope(d, theta, max_seq_len, Q, pos)
    K = rope(d, theta, max_seq_len, K, pos)
    mask = torch.ones(seq, seq, dtype=torch.bool, device=in_features.device).tril()
    heads = scaled_dot_product_attention(Q, K, V, mask)
    return heads.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.t()
