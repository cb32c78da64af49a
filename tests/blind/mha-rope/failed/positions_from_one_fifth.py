"""Wrong: without token_positions the first token is at position 1 when rotated as a query."""

from __future__ import annotations

import argparse
import logging
import math
from dataclasses import dataclass
from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

log = logging.getLogger(__name__)


@dataclass
class ModelArgs:
    dim: int = 32
    n_layers: int = 2
    n_heads: int = 4
    vocab_size: int = 64
    max_seq_len: int = 32
    theta: float = 10000.0


def precompute_freqs_cis(dim: int, end: int, theta: float, positions: Tensor) -> Tensor:
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=positions.device)[: dim // 2].double() / dim))
    angles = positions.double().unsqueeze(-1) * freqs
    return torch.polar(torch.ones_like(angles), angles)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    x_ = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    freqs_cis = precompute_freqs_cis(d_k, max_seq_len, theta, token_positions)
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(F.softmax(scores, dim=-1), V)


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
    token_positions: Optional[Tensor] = None,
) -> Tensor:
    assert d_model % num_heads == 0, f"{d_model=} is not a multiple of {num_heads=}"
    *batch, seq, _ = in_features.shape
    head_dim = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)

    xq, xk, xv = (F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    xq = xq.view(*batch, seq, num_heads, head_dim).transpose(-3, -2)
    xk = xk.view(*batch, seq, num_heads, head_dim).transpose(-3, -2)
    xv = xv.view(*batch, seq, num_heads, head_dim).transpose(-3, -2)
    positions = token_positions.unsqueeze(-2)
    xq = rope(head_dim, theta, max_seq_len, xq, positions + 1)
    xk = rope(head_dim, theta, max_seq_len, xk, positions)
    output = scaled_dot_product_attention(xq, xk, xv)
    output = output.transpose(-3, -2).reshape(*batch, seq, d_model)
    return F.linear(output, o_proj_weight)


class Attention(nn.Module):
    def __init__(self, a: ModelArgs):
        super().__init__()
        self.a = a
        self.wq, self.wk, self.wv, self.wo = (nn.Parameter(torch.randn(a.dim, a.dim) / a.dim**0.5) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        a = self.a
        return multihead_self_attention_with_rope(
            a.dim, a.n_heads, a.max_seq_len, a.theta, self.wq, self.wk, self.wv, self.wo, x
        )


class Block(nn.Module):
    def __init__(self, a: ModelArgs):
        super().__init__()
        self.att = Attention(a)
        self.w1, self.w2 = nn.Linear(a.dim, 4 * a.dim, bias=False), nn.Linear(4 * a.dim, a.dim, bias=False)
        self.n1, self.n2 = nn.Parameter(torch.ones(a.dim)), nn.Parameter(torch.ones(a.dim))

    @staticmethod
    def norm(x: Tensor, w: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * w

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.att(self.norm(x, self.n1))
        return x + self.w2(F.silu(self.w1(self.norm(x, self.n2))))


class Encoder(nn.Module):
    def __init__(self, a: ModelArgs):
        super().__init__()
        self.emb = nn.Embedding(a.vocab_size, a.dim)
        self.blocks = nn.ModuleList(Block(a) for _ in range(a.n_layers))
        self.head = nn.Linear(a.dim, a.vocab_size)

    def forward(self, ids: Tensor) -> Tensor:
        h = self.emb(ids)
        for block in self.blocks:
            h = block(h)
        return self.head(h)


def masked_batch(a: ModelArgs, n: int) -> Tuple[Tensor, Tensor]:
    ids = torch.randint(1, a.vocab_size, (n, a.max_seq_len))
    keep = torch.rand(ids.shape) > 0.15
    return ids * keep, ids


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=5)
    steps = p.parse_args().steps
    torch.manual_seed(0)
    args = ModelArgs()
    model = Encoder(args)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        x, y = masked_batch(args, 4)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        loss.backward()
        opt.step()
        opt.zero_grad()
        log.warning("%.3f", loss.item())
