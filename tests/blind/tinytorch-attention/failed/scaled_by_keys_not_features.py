"""Wrong: the scores are divided by the root of the number of keys."""

from __future__ import annotations

import argparse
import logging
import math
import sys
from dataclasses import dataclass

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

logger = logging.getLogger("tinygpt")
MASK_VALUE = -1e9


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    d_k = K.shape[-2]
    scores = Q.matmul(K.transpose()) / math.sqrt(d_k)
    if mask is not None:
        hidden = (1.0 - mask.data.astype(scores.data.dtype)) * MASK_VALUE
        scores = scores + Tensor(hidden)
    weights = Softmax()(scores, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, seq, _ = x.shape
        q = self.q_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, *mask.shape[1:])
        attended, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attended.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]


@dataclass
class Config:
    vocab: int = 16
    dim: int = 16
    heads: int = 2
    seq: int = 8


class Embedding:
    def __init__(self, n: int, d: int):
        self.weight = Tensor(np.random.randn(n, d) * 0.02, requires_grad=True)

    def __call__(self, ids: np.ndarray) -> Tensor:
        return self.weight[ids]


class Block:
    def __init__(self, c: Config):
        self.att = MultiHeadAttention(c.dim, c.heads)
        self.up, self.down = Linear(c.dim, 2 * c.dim), Linear(2 * c.dim, c.dim)

    def __call__(self, x: Tensor, mask: Tensor) -> Tensor:
        x = x + self.att(x, mask)
        h = self.up(x)
        return x + self.down(h * Tensor((h.data > 0).astype(h.data.dtype)))

    def parameters(self):
        return self.att.parameters() + self.up.parameters() + self.down.parameters()


class SGD:
    def __init__(self, params, lr=0.1):
        self.params, self.lr = params, lr

    def step(self):
        for p in self.params:
            if p.grad is not None:
                p.data = p.data - self.lr * p.grad
                p.zero_grad()


def cross_entropy(logits: Tensor, targets: np.ndarray) -> Tensor:
    p = Softmax()(logits)
    one_hot = np.eye(logits.shape[-1], dtype=np.float32)[targets]
    return ((p - Tensor(one_hot)) ** 2).mean()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    n = parser.parse_args().steps
    np.random.seed(0)
    c = Config()
    emb, block, head = Embedding(c.vocab, c.dim), Block(c), Linear(c.dim, c.vocab)
    opt = SGD([emb.weight, *block.parameters(), *head.parameters()])
    causal = Tensor(np.tril(np.ones((1, c.seq, c.seq))))
    for i in range(n):
        ids = np.random.randint(0, c.vocab, (4, c.seq + 1))
        loss = cross_entropy(head(block(emb(ids[:, :-1]), causal)), ids[:, 1:])
        loss.backward()
        opt.step()
        print(i, loss.item(), file=sys.stderr)


if __name__ == "__main__":
    main()
