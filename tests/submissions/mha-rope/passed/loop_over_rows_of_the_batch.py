"""A loop over the sequences of the batch: slow, and not a loop over heads."""

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


def one_sequence(x, positions, num_heads, theta, max_seq_len, wq, wk, wv):
    seq, d_model = x.shape
    d_head = d_model // num_heads
    q = (x @ wq.T).view(seq, num_heads, d_head).transpose(0, 1)
    k = (x @ wk.T).view(seq, num_heads, d_head).transpose(0, 1)
    v = (x @ wv.T).view(seq, num_heads, d_head).transpose(0, 1)
    q, k = rope(d_head, theta, max_seq_len, q, positions), rope(d_head, theta, max_seq_len, k, positions)
    return scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(seq, d_model)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq)
    rows = in_features.reshape(-1, seq, d_model)
    positions = token_positions.expand(in_features.shape[:-1]).reshape(-1, seq)
    done = [one_sequence(x, p, num_heads, theta, max_seq_len, q_proj_weight, k_proj_weight, v_proj_weight) for x, p in zip(rows, positions)]
    return torch.stack(done).reshape(in_features.shape) @ o_proj_weight.T
