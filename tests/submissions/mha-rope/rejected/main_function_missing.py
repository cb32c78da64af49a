"""The multi-head function is missing.
Rejected: does not define `multihead_self_attention_with_rope(
"""

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
