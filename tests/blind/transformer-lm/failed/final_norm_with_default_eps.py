"""Wrong: the final norm always uses 1e-5, while the blocks use the eps of the caller."""
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


class Ebene(dict):
    """The weights of one layer, under the names of a single block."""

    def __init__(self, alle, nummer):
        namen = ("attn_norm", "attn.q_proj", "attn.k_proj", "attn.v_proj", "attn.o_proj", "ffn_norm")
        namen += ("ffn.w1", "ffn.w2", "ffn.w3")
        super().__init__({f"{n}.weight": alle[f"layers.{nummer}.{n}.weight"] for n in namen})


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    dtype = weights["lm_head.weight"].dtype
    x = weights["token_embeddings.weight"].double()[token_ids]
    for nummer in range(num_layers):
        x = transformer_block(x, Ebene(weights, nummer), num_heads, max_seq_len, theta, None, eps)
    root_mean_square = (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
    z = x / root_mean_square * weights["final_norm.weight"].double()
    return torch.einsum("...d,vd->...v", z, weights["lm_head.weight"].double()).to(dtype)
