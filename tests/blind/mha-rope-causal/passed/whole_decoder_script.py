"""Right: a whole decoder with rotary attention, sampler and training loop; three functions of it are asked."""

from __future__ import annotations

import argparse
import contextlib
import logging
import math
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

if TYPE_CHECKING:
    from torch.optim import Optimizer

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
random.seed(1)
torch.manual_seed(1)
logger = logging.getLogger("decoder")


@dataclass(slots=True)
class Config:
    vocab: int = 64
    d_model: int = 32
    heads: int = 4
    layers: int = 2
    context: int = 24
    theta: float = 10000.0


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    freqs = token_positions.float().unsqueeze(-1) * inv_freq
    cos = freqs.cos().repeat_interleave(2, dim=-1).to(x.dtype)
    sin = freqs.sin().repeat_interleave(2, dim=-1).to(x.dtype)
    rotated = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape_as(x)
    return x * cos + rotated * sin


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    d_k = Q.size(-1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    probs = torch.softmax(scores, dim=-1)
    return probs @ V


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
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    seq_len = in_features.size(-2)
    d_head = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)

    def to_heads(t: Tensor) -> Tensor:
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q = to_heads(F.linear(in_features, q_proj_weight))
    k = to_heads(F.linear(in_features, k_proj_weight))
    v = to_heads(F.linear(in_features, v_proj_weight))
    head_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, head_positions)
    k = rope(d_head, theta, max_seq_len, k, head_positions)
    causal = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=in_features.device))
    out = scaled_dot_product_attention(q, k, v, causal)
    out = out.transpose(-3, -2).reshape(in_features.shape)
    return F.linear(out, o_proj_weight)


class Block(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        w = lambda: nn.Parameter(torch.empty(c.d_model, c.d_model).normal_(std=c.d_model**-0.5))
        self.wq, self.wk, self.wv, self.wo = w(), w(), w(), w()
        self.up, self.down = nn.Linear(c.d_model, 4 * c.d_model), nn.Linear(4 * c.d_model, c.d_model)
        self.n1, self.n2 = nn.LayerNorm(c.d_model), nn.LayerNorm(c.d_model)

    def forward(self, x: Tensor) -> Tensor:
        c = self.c
        x = x + multihead_self_attention_with_rope(
            c.d_model, c.heads, c.context, c.theta, self.wq, self.wk, self.wv, self.wo, self.n1(x)
        )
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Decoder(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        self.emb = nn.Embedding(c.vocab, c.d_model)
        self.blocks = nn.Sequential(*(Block(c) for _ in range(c.layers)))
        self.head = nn.Linear(c.d_model, c.vocab, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(self.blocks(self.emb(ids)))

    @torch.no_grad()
    def generate(self, ids: Tensor, n: int) -> Tensor:
        for _ in range(n):
            ids = torch.cat((ids, self(ids[:, -self.c.context :])[:, -1:].argmax(-1)), dim=1)
        return ids


@contextlib.contextmanager
def step(opt: Optimizer) -> Iterator[Any]:
    opt.zero_grad()
    yield opt
    opt.step()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=10)
    n = parser.parse_args().steps
    model = Decoder(Config())
    opt = torch.optim.AdamW(model.parameters())
    for i in range(n):
        ids = torch.randint(0, 64, (4, 25))
        with step(opt):
            loss = F.cross_entropy(model(ids[:, :-1]).mT, ids[:, 1:])
            loss.backward()
        logger.info("%d %f", i, loss)
    print(model.generate(torch.zeros(1, 1, dtype=torch.long), 8))


if __name__ == "__main__":
    main()
