"""einx for projections and heads."""

from torch import Tensor
import einx
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = torch.where(mask, attn, torch.tensor(-torch.inf, dtype=attn.dtype, device=attn.device))
    return torch.matmul(softmax(attn, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("d_model")
    q = einx.dot("... s [i], o [i] -> ... s o", in_features, q_proj_weight)
    k = einx.dot("... s [i], o [i] -> ... s o", in_features, k_proj_weight)
    v = einx.dot("... s [i], o [i] -> ... s o", in_features, v_proj_weight)
    q = einx.id("... s (h d) -> ... h s d", q, h=num_heads)
    k = einx.id("... s (h d) -> ... h s d", k, h=num_heads)
    v = einx.id("... s (h d) -> ... h s d", v, h=num_heads)
    pos = torch.arange(in_features.shape[-2]) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, pos)
    k = rope(d_model // num_heads, theta, max_seq_len, k, pos)
    out = scaled_dot_product_attention(q, k, v, torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).tril())
    out = einx.id("... h s d -> ... s (h d)", out)
    return einx.dot("... s [i], o [i] -> ... s o", out, o_proj_weight)
