"""Pre-norm block; RoPE as a product of complex numbers."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from einops import einsum, rearrange
from jaxtyping import Float, Int
from torch import Tensor


def norm(x: Float[Tensor, "... d"], w: Float[Tensor, " d"], eps: float) -> Float[Tensor, "... d"]:
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * w


def rotate(x: Float[Tensor, "... seq d"], pos: Int[Tensor, "... seq"], theta: float) -> Float[Tensor, "... seq d"]:
    half = x.shape[-1] // 2
    freq = float(theta) ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = einsum(pos.double(), freq, "... s, f -> ... s f")
    turn = torch.polar(torch.ones_like(angle), angle).to(torch.complex128 if x.dtype == torch.float64 else torch.complex64)
    z = torch.view_as_complex(rearrange(x, "... (f two) -> ... f two", two=2).contiguous())
    return rearrange(torch.view_as_real(z * turn), "... f two -> ... (f two)")


def causal_attention(q, k, v):
    s = einsum(q, k, "... i d, ... j d -> ... i j") * q.shape[-1] ** -0.5
    later = torch.triu(torch.ones(s.shape[-2:], dtype=torch.bool), diagonal=1)
    return einsum(s.masked_fill(later, -torch.inf).softmax(-1), v, "... i j, ... j d -> ... i d")


def transformer_block(
    x: Float[Tensor, "... seq d"],
    weights: dict[str, Tensor],
    num_heads: int,
    max_seq_len: int,
    theta: float,
    token_positions: Int[Tensor, "... seq"] | None = None,
    eps: float = 1e-5,
) -> Float[Tensor, "... seq d"]:
    assert x.shape[-1] % num_heads == 0
    assert x.shape[-2] <= max_seq_len
    pos = torch.arange(x.shape[-2]) if token_positions is None else token_positions
    pos = pos[..., None, :] if pos.ndim > 1 else pos

    z = norm(x, weights["attn_norm.weight"], eps)
    q, k, v = (
        rearrange(F.linear(z, weights[f"attn.{c}_proj.weight"]), "... s (h d) -> ... h s d", h=num_heads) for c in "qkv"
    )
    a = causal_attention(rotate(q, pos, theta), rotate(k, pos, theta), v)
    h = x + F.linear(rearrange(a, "... h s d -> ... s (h d)"), weights["attn.o_proj.weight"])

    z = norm(h, weights["ffn_norm.weight"], eps)
    up = F.silu(F.linear(z, weights["ffn.w1.weight"])) * F.linear(z, weights["ffn.w3.weight"])
    return h + F.linear(up, weights["ffn.w2.weight"])


if __name__ == "__main__":
    eye = torch.eye(2)
    w = {f"attn.{c}_proj.weight": eye for c in "qkvo"} | {f"ffn.w{i}.weight": eye for i in (1, 2, 3)}
    w |= {"attn_norm.weight": torch.ones(2), "ffn_norm.weight": torch.ones(2)}
    print(transformer_block(torch.tensor([[3.0, 4.0]]), w, 1, 1, 10000.0, eps=0))
