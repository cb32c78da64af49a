"""A right block that computes everything in float64, with a softmax of its own, and goes back to the caller's dtype at the end."""
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Gewichte:
    werte: dict

    def __getitem__(self, name: str) -> Tensor:
        return self.werte[name + ".weight"].to(torch.float64)


def shares(scores: Tensor) -> Tensor:
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    w, dtype = Gewichte(weights), x.dtype
    x = x.double()
    *batch, n, d = x.shape
    k_dim = d // num_heads
    where = torch.arange(n).expand(*batch, n) if token_positions is None else token_positions.expand(*batch, n)
    ω = torch.tensor([float(theta) ** (-2 * i / k_dim) for i in range(k_dim // 2)], dtype=torch.float64)
    φ = (where.double().unsqueeze(-1) * ω).unsqueeze(-3)

    def norm(v: Tensor, name: str) -> Tensor:
        return v / (v.square().mean(-1, keepdim=True) + float(eps)).sqrt() * w[name]

    def heads(v: Tensor) -> Tensor:
        return v.reshape(*batch, n, num_heads, k_dim).movedim(-2, -3)

    def turned(v: Tensor) -> Tensor:
        a, b = v.reshape(*v.shape[:-1], -1, 2).unbind(-1)
        return torch.stack((a * φ.cos() - b * φ.sin(), b * φ.cos() + a * φ.sin()), -1).reshape(v.shape)

    z = norm(x, "attn_norm")
    q, k, v = (heads(z @ w[f"attn.{p}_proj"].T) for p in "qkv")
    scores = turned(q) @ turned(k).transpose(-1, -2) / k_dim**0.5
    order = torch.arange(n)
    scores = scores.masked_fill(order[None, :] > order[:, None], float("-inf"))
    out = (shares(scores) @ v).movedim(-3, -2).reshape(*batch, n, d)
    h = x + out @ w["attn.o_proj"].T
    z = norm(h, "ffn_norm")
    a = z @ w["ffn.w1"].T
    return (h + (a * torch.sigmoid(a) * (z @ w["ffn.w3"].T)) @ w["ffn.w2"].T).to(dtype)
