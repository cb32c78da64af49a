"""Wrong: the scores are divided by the root of d_out, not of the width of a head."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

log = logging.getLogger("gpt2")


@dataclass(frozen=True)
class GPTConfig:
    vocab_size: int = 256
    context_length: int = 32
    emb_dim: int = 48
    n_heads: int = 4
    n_layers: int = 2
    drop_rate: float = 0.1
    qkv_bias: bool = False

    @classmethod
    def from_file(cls, path: Path) -> GPTConfig:
        return cls(**json.loads(path.read_text()))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"

        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads

        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape

        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)

        keys = keys.view(b, num_tokens, self.num_heads, self.head_dim)
        values = values.view(b, num_tokens, self.num_heads, self.head_dim)
        queries = queries.view(b, num_tokens, self.num_heads, self.head_dim)

        keys = keys.transpose(1, 2)
        queries = queries.transpose(1, 2)
        values = values.transpose(1, 2)

        attn_scores = queries @ keys.transpose(2, 3)
        mask_bool = self.mask.bool()[:num_tokens, :num_tokens]
        attn_scores.masked_fill_(mask_bool, -torch.inf)
        attn_weights = torch.softmax(attn_scores / self.d_out ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)

        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.d_out)
        return self.out_proj(context_vec)


class LayerNorm(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x: Tensor) -> Tensor:
        mean, var = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
        return self.scale * (x - mean) / torch.sqrt(var + 1e-5) + self.shift


class GELU(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


class Block(nn.Module):
    def __init__(self, c: GPTConfig):
        super().__init__()
        self.att = MultiHeadAttention(c.emb_dim, c.emb_dim, c.context_length, c.drop_rate, c.n_heads, c.qkv_bias)
        self.ff = nn.Sequential(nn.Linear(c.emb_dim, 4 * c.emb_dim), GELU(), nn.Linear(4 * c.emb_dim, c.emb_dim))
        self.norm1, self.norm2 = LayerNorm(c.emb_dim), LayerNorm(c.emb_dim)
        self.drop = nn.Dropout(c.drop_rate)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.drop(self.att(self.norm1(x)))
        return x + self.drop(self.ff(self.norm2(x)))


class GPT(nn.Module):
    def __init__(self, c: GPTConfig):
        super().__init__()
        self.c = c
        self.tok, self.pos = nn.Embedding(c.vocab_size, c.emb_dim), nn.Embedding(c.context_length, c.emb_dim)
        self.blocks = nn.Sequential(*[Block(c) for _ in range(c.n_layers)])
        self.norm, self.head = LayerNorm(c.emb_dim), nn.Linear(c.emb_dim, c.vocab_size, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        pos = torch.arange(ids.shape[1], device=ids.device)
        return self.head(self.norm(self.blocks(self.tok(ids) + self.pos(pos))))

    @torch.no_grad()
    def sample(self, ids: Tensor, n: int) -> Tensor:
        self.eval()
        for _ in range(n):
            logits = self(ids[:, -self.c.context_length :])[:, -1]
            ids = torch.cat([ids, logits.softmax(-1).multinomial(1)], dim=1)
        return ids


def train(c: GPTConfig, text: bytes, steps: int) -> GPT:
    torch.manual_seed(123)
    model = GPT(c)
    opt = torch.optim.AdamW(model.parameters(), lr=4e-4, weight_decay=0.1)
    data = torch.tensor(list(text))
    start = time.time()
    for step in range(steps):
        i = torch.randint(0, len(data) - c.context_length - 1, (8,))
        batch = torch.stack([data[j : j + c.context_length + 1] for j in i])
        loss = F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.info("%d %.3f (%.1f s)", step, loss.item(), time.time() - start)
    return model


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("text", type=Path)
    ap.add_argument("--steps", type=int, default=50)
    ns = ap.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    print(asdict(GPTConfig()))
    gpt = train(GPTConfig(), ns.text.read_bytes(), ns.steps)
    print(bytes(gpt.sample(torch.zeros(1, 1, dtype=torch.long), 50)[0].tolist()))
