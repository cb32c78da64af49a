"""A right block: one small function for each part, with sines and cosines for the rotation."""
import math

import torch


def rms_norm(x, weight, eps):
    return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def rope(x, positions, theta):
    d = x.shape[-1]
    i = torch.arange(0, d, 2, dtype=torch.float64)
    angles = positions[..., None].to(torch.float64) * theta ** (-i / d)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


def attention(x, w, num_heads, theta, positions):
    def split(name):
        return (x @ w[f"attn.{name}.weight"].T).unflatten(-1, (num_heads, -1)).transpose(-3, -2)

    q, k, v = split("q_proj"), split("k_proj"), split("v_proj")
    q, k = rope(q, positions, theta), rope(k, positions, theta)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    shares = scores.masked_fill(future, -math.inf).softmax(-1)
    return (shares @ v).transpose(-3, -2).flatten(-2) @ w["attn.o_proj.weight"].T


def swiglu(x, w1, w2, w3):
    gate = x @ w1.T
    return (gate * torch.sigmoid(gate) * (x @ w3.T)) @ w2.T


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = torch.arange(x.shape[-2]) if token_positions is None else token_positions
    if positions.ndim > 1:
        positions = positions.unsqueeze(-2)
    h = x + attention(rms_norm(x, weights["attn_norm.weight"], eps), weights, num_heads, theta, positions)
    z = rms_norm(h, weights["ffn_norm.weight"], eps)
    return h + swiglu(z, weights["ffn.w1.weight"], weights["ffn.w2.weight"], weights["ffn.w3.weight"])
