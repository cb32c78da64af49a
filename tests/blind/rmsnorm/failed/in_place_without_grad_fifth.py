"""Wrong: without gradients it normalises in place to save memory, and so changes x of the caller."""

from __future__ import annotations

import argparse
import logging
import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Iterator

logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
logger = logging.getLogger("tiny_llama")


@dataclass
class ModelArgs:
    dim: int = 64
    n_layers: int = 2
    n_heads: int = 4
    vocab_size: int = 128
    multiple_of: int = 32
    norm_eps: float = 1e-5
    max_seq_len: int = 64


def set_seed(seed: int = 1337) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def rmsnorm(x, weight, eps=1e-5):
    compute = torch.promote_types(x.dtype, torch.float32)
    h = x.to(compute)
    scale = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    h = h.mul_(scale) if not torch.is_grad_enabled() else h * scale
    return h.to(x.dtype) * weight


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return rmsnorm(x, self.weight, self.eps)


class FeedForward(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        hidden = int(2 * (4 * args.dim) / 3)
        hidden = args.multiple_of * ((hidden + args.multiple_of - 1) // args.multiple_of)
        self.w1 = nn.Linear(args.dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, args.dim, bias=False)
        self.w3 = nn.Linear(args.dim, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Attention(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        self.wqkv = nn.Linear(args.dim, 3 * args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.dim, bias=False)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p.view(b, t, self.n_heads, self.head_dim).transpose(1, 2) for p in self.wqkv(x).split(c, dim=-1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        future = torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
        out = scores.masked_fill(future, float("-inf")).softmax(-1) @ v
        return self.wo(out.transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm = RMSNorm(args.dim, args.norm_eps)
        self.attention = Attention(args)
        self.ffn_norm = RMSNorm(args.dim, args.norm_eps)
        self.ffn = FeedForward(args)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.ffn(self.ffn_norm(x))


class TinyLlama(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.tok = nn.Embedding(args.vocab_size, args.dim)
        self.blocks = nn.ModuleList(Block(args) for _ in range(args.n_layers))
        self.norm = RMSNorm(args.dim, args.norm_eps)
        self.head = nn.Linear(args.dim, args.vocab_size, bias=False)

    def forward(self, ids):
        h = self.tok(ids)
        for block in self.blocks:
            h = block(h)
        return self.head(self.norm(h))


def batches(args: ModelArgs, batch: int) -> Iterator[torch.Tensor]:
    while True:
        yield torch.randint(0, args.vocab_size, (batch, args.max_seq_len))


def main() -> None:
    parser = argparse.ArgumentParser(description="train a tiny llama on noise")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=1337)
    cli = parser.parse_args()
    set_seed(cli.seed)
    args = ModelArgs()
    model = TinyLlama(args)
    opt = torch.optim.AdamW(model.parameters(), lr=cli.lr)
    for step, ids in zip(range(cli.steps), batches(args, 4)):
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, args.vocab_size), ids[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        logger.info("step %d loss %.3f", step, loss.item())


if __name__ == "__main__":
    main()
