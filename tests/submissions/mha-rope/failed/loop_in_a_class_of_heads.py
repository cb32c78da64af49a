"""A list of Head objects, as in many tutorials.
Rule: no-loop-over-heads
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


class Head:
    def __init__(self, wq, wk, wv, theta, max_seq_len):
        self.wq, self.wk, self.wv, self.theta, self.max_seq_len = wq, wk, wv, theta, max_seq_len

    def __call__(self, x, positions):
        d = self.wq.shape[0]
        q = rope(d, self.theta, self.max_seq_len, x @ self.wq.T, positions)
        k = rope(d, self.theta, self.max_seq_len, x @ self.wk.T, positions)
        return scaled_dot_product_attention(q, k, x @ self.wv.T)


class MultiHead:
    def __init__(self, heads, wo):
        self.heads, self.wo = heads, wo

    def __call__(self, x, positions):
        return torch.cat([head(x, positions) for head in self.heads], dim=-1) @ self.wo.T


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    weights = zip(q_proj_weight.split(d_head), k_proj_weight.split(d_head), v_proj_weight.split(d_head))
    heads = [Head(*three, theta, max_seq_len) for three in weights]
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    return MultiHead(heads, o_proj_weight)(in_features, token_positions)
