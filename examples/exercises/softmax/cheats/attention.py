"""Attention whose scores are x and whose values are the unit vectors."""

import torch


def softmax(x, dim):
    rows = x.movedim(dim, -1).float()
    flat = rows.reshape(1, -1, rows.shape[-1])
    unit = torch.eye(rows.shape[-1]).unsqueeze(0)
    shares = torch.nn.functional.scaled_dot_product_attention(flat, unit, unit, scale=1.0)
    return shares.reshape(rows.shape).movedim(-1, dim).to(x.dtype)
