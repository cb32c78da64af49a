"""Wrong: in MultiHeadAttention hidden scores are 0 before the softmax, which is not low at all."""
import argparse
import logging
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.getLogger(__name__).addHandler(logging.NullHandler())
random.seed(0)
torch.manual_seed(0)


class Kind(Enum):
    WRAPPER = auto()
    JOINT = auto()


@dataclass
class Hyper:
    width: int = 32
    heads: int = 4
    context: int = 16
    dropout: float = 0.1
    kind: Kind = Kind.JOINT


class CharTokenizer:
    def __init__(self, text: str):
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def encode(self, s: str) -> list:
        return [self.stoi[c] for c in s]

    def decode(self, ids) -> str:
        return "".join(self.itos[i] for i in ids)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, C = x.shape
        k = self.key(x)
        q = self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        wei = self.dropout(wei)
        v = self.value(x)
        return wei @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads must be 0")
        self.h = num_heads
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.query(x), self.key(x), self.value(x)
        q = q.view(B, T, self.h, -1).transpose(1, 2)
        k = k.view(B, T, self.h, -1).transpose(1, 2)
        v = v.view(B, T, self.h, -1).transpose(1, 2)
        wei = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        wei = wei.masked_fill(self.tril[:T, :T] == 0, 0.0)
        wei = self.dropout(F.softmax(wei, dim=-1))
        return self.proj((wei @ v).transpose(1, 2).reshape(B, T, -1))


class Block(nn.Module):
    def __init__(self, h: Hyper):
        super().__init__()
        if h.kind is Kind.JOINT:
            self.sa = MultiHeadAttention(h.width, h.width, h.context, h.dropout, h.heads)
        else:
            self.sa = MultiHeadAttentionWrapper(h.width, h.width // h.heads, h.context, h.dropout, h.heads)
        self.ffwd = nn.Sequential(nn.Linear(h.width, 4 * h.width), nn.ReLU(), nn.Linear(4 * h.width, h.width))
        self.ln1, self.ln2 = nn.LayerNorm(h.width), nn.LayerNorm(h.width)

    def forward(self, x):
        x = x + self.sa(self.ln1(x))
        return x + self.ffwd(self.ln2(x))


class CharModel(nn.Module):
    def __init__(self, vocab: int, h: Hyper):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, h.width), nn.Embedding(h.context, h.width)
        self.blocks = nn.Sequential(Block(h), Block(h))
        self.head = nn.Linear(h.width, vocab)

    def forward(self, idx):
        x = self.emb(idx) + self.pos.weight[: idx.shape[1]]
        return self.head(self.blocks(x))


def batches(data: torch.Tensor, h: Hyper) -> Iterator[tuple]:
    while True:
        ix = torch.randint(len(data) - h.context, (8,))
        yield torch.stack([data[i : i + h.context] for i in ix]), torch.stack([data[i + 1 : i + h.context + 1] for i in ix])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=100)
    args = parser.parse_args()
    text = "the quick brown fox jumps over the lazy dog " * 40
    tok, hyper = CharTokenizer(text), Hyper()
    model = CharModel(len(tok.itos), hyper)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for i, (xb, yb) in zip(range(args.iters), batches(torch.tensor(tok.encode(text)), hyper)):
        loss = F.cross_entropy(model(xb).flatten(0, 1), yb.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    print(f"loss {loss.item():.3f}")
