"""Wrong: a float mask is added to the scores, as nn.MultiheadAttention does with it."""

import argparse
import logging
import math
import os
import random
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Optional

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

warnings.filterwarnings("ignore", category=UserWarning)
logger = logging.getLogger(__name__)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PAD, BOS, EOS = 0, 1, 2


@dataclass
class Config:
    vocab: int = 100
    d_model: int = 32
    num_heads: int = 4
    layers: int = 2
    d_ff: int = 64
    dropout: float = 0.1
    betas: tuple = (0.9, 0.98)
    extras: dict = field(default_factory=dict)


def multi_head_attention(
    q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, dropout_p: float = 0.0
):
    assert d_model % num_heads == 0, f"d_model={d_model} is not a multiple of num_heads={num_heads}"
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    d_head = d_model // num_heads

    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = F.linear(q, w_q).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = F.linear(k, w_k).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = F.linear(v, w_v).reshape(N, L_k, num_heads, d_head).transpose(1, 2)

    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_head)
    if mask is not None:
        if mask.is_floating_point():
            scores = scores + mask.unsqueeze(-3)
        else:
            scores = scores.masked_fill(mask.bool().unsqueeze(-3), float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    attn = F.dropout(attn, p=dropout_p)
    out = torch.matmul(attn, V).transpose(1, 2).contiguous().view(N, L_q, d_model)
    return F.linear(out, out_proj_weight)


class MHA(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.in_proj_weight = nn.Parameter(torch.empty(3 * cfg.d_model, cfg.d_model))
        self.out_proj_weight = nn.Parameter(torch.empty(cfg.d_model, cfg.d_model))
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.xavier_uniform_(self.out_proj_weight)

    def forward(self, q, k, v, mask: Optional[torch.Tensor] = None):
        return multi_head_attention(
            q,
            k,
            v,
            self.cfg.num_heads,
            self.cfg.d_model,
            mask,
            in_proj_weight=self.in_proj_weight,
            out_proj_weight=self.out_proj_weight,
        )


class EncoderLayer(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.attn = MHA(cfg)
        self.ff = nn.Sequential(nn.Linear(cfg.d_model, cfg.d_ff), nn.ReLU(), nn.Linear(cfg.d_ff, cfg.d_model))
        self.n1, self.n2 = nn.LayerNorm(cfg.d_model), nn.LayerNorm(cfg.d_model)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x, mask):
        x = self.n1(x + self.drop(self.attn(x, x, x, mask)))
        return self.n2(x + self.drop(self.ff(x)))


class DecoderLayer(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.self_attn, self.cross = MHA(cfg), MHA(cfg)
        self.ff = nn.Sequential(nn.Linear(cfg.d_model, cfg.d_ff), nn.ReLU(), nn.Linear(cfg.d_ff, cfg.d_model))
        self.norms = nn.ModuleList(nn.LayerNorm(cfg.d_model) for _ in range(3))

    def forward(self, y, memory, causal, padding):
        y = self.norms[0](y + self.self_attn(y, y, y, causal))
        y = self.norms[1](y + self.cross(y, memory, memory, padding))
        return self.norms[2](y + self.ff(y))


class Seq2Seq(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.src, self.tgt = nn.Embedding(cfg.vocab, cfg.d_model), nn.Embedding(cfg.vocab, cfg.d_model)
        self.enc = nn.ModuleList(EncoderLayer(cfg) for _ in range(cfg.layers))
        self.dec = nn.ModuleList(DecoderLayer(cfg) for _ in range(cfg.layers))
        self.out = nn.Linear(cfg.d_model, cfg.vocab)

    def forward(self, s, t):
        padding = (s == PAD).unsqueeze(1)
        x = self.src(s) * math.sqrt(self.cfg.d_model)
        for layer in self.enc:
            x = layer(x, padding)
        causal = torch.ones(t.size(1), t.size(1), dtype=torch.bool, device=t.device).triu(1)
        y = self.tgt(t) * math.sqrt(self.cfg.d_model)
        for layer in self.dec:
            y = layer(y, x, causal, padding)
        return self.out(y)


def noam(step: int, d_model: int, warmup: int = 400) -> float:
    step = max(step, 1)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def train(cfg: Config, steps: int) -> None:
    model = Seq2Seq(cfg).to(DEVICE)
    opt = optim.Adam(model.parameters(), lr=1.0, betas=cfg.betas)
    sched = optim.lr_scheduler.LambdaLR(opt, lambda s: noam(s, cfg.d_model))
    history = defaultdict(list)
    for step in range(steps):
        s = torch.randint(3, cfg.vocab, (8, 10), device=DEVICE)
        t = s.flip(1)
        loss = F.cross_entropy(model(s, t).transpose(1, 2), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        history["loss"].append(loss.item())
    logger.info("%s", Counter(round(x, 1) for x in history["loss"]).most_common(3))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=10)
    p.add_argument("--seed", type=int, default=int(os.environ.get("SEED", 0)))
    a = p.parse_args()
    random.seed(a.seed), np.random.seed(a.seed), torch.manual_seed(a.seed)
    train(Config(), a.steps)
