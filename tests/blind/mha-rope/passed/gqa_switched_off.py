"""A right answer of the seventh corpus."""
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class ModelArgs:
    dim: int
    n_heads: int
    max_seq_len: int
    rope_theta: float
    n_kv_heads: int | None = None
    softcap: float = 0.0

    def __post_init__(self):
        assert self.dim % self.n_heads == 0
        self.n_kv_heads = self.n_heads if self.n_kv_heads is None else self.n_kv_heads
        self.head_dim = self.dim // self.n_heads
        self.n_rep = self.n_heads // self.n_kv_heads


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    if n_rep == 1:
        return x
    return x.repeat_interleave(n_rep, dim=-3)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    half = torch.arange(0, d_k // 2, device=in_query_or_key.device)
    freq = 1.0 / (theta ** (2.0 * half.double() / d_k))
    phase = torch.exp(1j * token_positions.double()[..., None] * freq)
    z = torch.complex(in_query_or_key[..., ::2].double(), in_query_or_key[..., 1::2].double()) * phase
    return torch.stack([z.real, z.imag], dim=-1).reshape(z.shape[:-1] + (d_k,)).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, softcap: float = 0.0) -> Tensor:
    att = Q @ K.transpose(-2, -1) / (Q.size(-1) ** 0.5)
    if softcap > 0:
        att = softcap * torch.tanh(att / softcap)
    if mask is not None:
        att = att + torch.where(mask, 0.0, float("-inf")).to(att.dtype)
    att = att.float().softmax(-1).type_as(Q) if Q.dtype == torch.float16 else att.softmax(-1)
    return att @ V


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
    args = ModelArgs(dim=d_model, n_heads=num_heads, max_seq_len=max_seq_len, rope_theta=theta)
    x = in_features
    positions = torch.arange(x.shape[-2], device=x.device) if token_positions is None else token_positions
    positions = positions.unsqueeze(-2)
    xq = (x @ q_proj_weight.mT).unflatten(-1, (args.n_heads, args.head_dim)).transpose(-3, -2)
    xk = (x @ k_proj_weight.mT).unflatten(-1, (args.n_kv_heads, args.head_dim)).transpose(-3, -2)
    xv = (x @ v_proj_weight.mT).unflatten(-1, (args.n_kv_heads, args.head_dim)).transpose(-3, -2)
    xq = rope(args.head_dim, args.rope_theta, args.max_seq_len, xq, positions)
    xk = rope(args.head_dim, args.rope_theta, args.max_seq_len, xk, positions)
    xk, xv = repeat_kv(xk, args.n_rep), repeat_kv(xv, args.n_rep)
    y = scaled_dot_product_attention(xq, xk, xv, softcap=args.softcap)
    y = y.transpose(-3, -2).contiguous().view(*x.shape)
    return y @ o_proj_weight.mT
