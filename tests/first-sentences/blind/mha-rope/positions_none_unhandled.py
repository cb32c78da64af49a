# Says: `token_positions` is None when the caller leaves it out, and the line `pos = token_positions.unsqueeze(-2)` asks None for `unsqueeze`: make `torch.arange(seq)` first.
# Line: 25
# Names: token_positions, None, arange
# Kind: crash
from math import sqrt
import torch

def rope(d_k, theta, max_seq_len, x, pos):
    w = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    a = pos.double().unsqueeze(-1) * w
    co = a.cos().to(x.dtype); si = a.sin().to(x.dtype)
    u = x[..., 0::2]; v = x[..., 1::2]
    return torch.stack((u*co - v*si, u*si + v*co), -1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    S = Q @ K.transpose(-1, -2) / sqrt(Q.shape[-1])
    if mask is not None: S = S.masked_fill(~mask, float('-inf'))
    return S.softmax(-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads: raise ValueError('no')
    dh = d_model // num_heads
    heads = lambda w: (in_features @ w.T).unflatten(-1, (num_heads, dh)).transpose(-3, -2)
    Q = heads(q_proj_weight); K = heads(k_proj_weight); V = heads(v_proj_weight)
    pos = token_positions.unsqueeze(-2)
    Q = rope(dh, theta, max_seq_len, Q, pos)
    K = rope(dh, theta, max_seq_len, K, pos)
    return scaled_dot_product_attention(Q, K, V).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
