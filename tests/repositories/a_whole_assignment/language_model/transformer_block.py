"""The block, put together from the parts of the other exercises as a student has them beside it."""

import torch
from torch.nn.functional import linear, silu

from .layers import rope, scaled_dot_product_attention
from .rmsnorm import rmsnorm


def attention(z, weights, num_heads, max_seq_len, theta, positions):
    def heads(role):
        return linear(z, weights[f"attn.{role}_proj.weight"]).unflatten(-1, (num_heads, -1)).transpose(-3, -2)

    d_head, positions = z.shape[-1] // num_heads, positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads("q"), positions)
    k = rope(d_head, theta, max_seq_len, heads("k"), positions)
    mask = torch.ones(z.shape[-2], z.shape[-2], dtype=torch.bool).tril()
    found = scaled_dot_product_attention(q, k, heads("v"), mask)
    return linear(found.transpose(-3, -2).flatten(-2), weights["attn.o_proj.weight"])


def feed_forward(z, weights):
    gate = silu(linear(z, weights["ffn.w1.weight"]))
    return linear(gate * linear(z, weights["ffn.w3.weight"]), weights["ffn.w2.weight"])


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2])
    z = rmsnorm(x, weights["attn_norm.weight"], eps)
    x = x + attention(z, weights, num_heads, max_seq_len, theta, token_positions)
    return x + feed_forward(rmsnorm(x, weights["ffn_norm.weight"], eps), weights)
