"""rope with its first arguments bound by functools.partial."""

import torch
from torch import Tensor
from einops import rearrange
from functools import partial


def rotate_every_two(x):
    x1 = x[..., 0::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).reshape(x.shape)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    k = torch.arange(d_k // 2, device=in_query_or_key.device)
    omega = torch.pow(torch.tensor(theta, dtype=torch.float64), -2.0 * k / d_k)
    t = torch.einsum("...i,j->...ij", token_positions.double(), omega)
    t = t.repeat_interleave(2, dim=-1)
    return in_query_or_key * t.cos().to(in_query_or_key.dtype) + rotate_every_two(in_query_or_key) * t.sin().to(in_query_or_key.dtype)


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
        raise AssertionError("d_model must divide by num_heads")
    d = d_model // num_heads
    split = partial(rearrange, pattern="... s (h d) -> ... h s d", h=num_heads)
    turn = partial(rope, d, theta, max_seq_len)
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    token_positions = token_positions.unsqueeze(-2)
    q = turn(split(in_features @ q_proj_weight.T), token_positions)
    k = turn(split(in_features @ k_proj_weight.T), token_positions)
    v = split(in_features @ v_proj_weight.T)
    return rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)") @ o_proj_weight.T
