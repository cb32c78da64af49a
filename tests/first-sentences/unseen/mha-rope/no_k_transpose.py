# Says: `Q @ K` multiplies (seq, d) with (seq, d), whose inner sizes do not match: it has to be `Q @ K.transpose(-2, -1)`.
# Line: 9
# Names: Q @ K, transpose
# Kind: crash
import torch
from math import sqrt

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K) / sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ V

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    dims = torch.arange(0, d_k, 2, device=in_query_or_key.device, dtype=torch.float64)
    ang = token_positions.unsqueeze(-1) / theta ** (dims / d_k)
    cos, sin = ang.cos(), ang.sin()
    e, o = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    y = torch.stack((e * cos - o * sin, e * sin + o * cos), -1)
    return y.flatten(-2).to(in_query_or_key.dtype)

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    dh = d_model // num_heads
    n = in_features.shape[-2]
    def heads(w):
        y = in_features @ w.T
        y = y.unflatten(-1, (num_heads, dh))
        return y.transpose(-3, -2)
    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    p = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    if p.ndim > 1: p = p.unsqueeze(-2)
    q, k = rope(dh, theta, max_seq_len, q, p), rope(dh, theta, max_seq_len, k, p)
    z = scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2)
    return z @ o_proj_weight.T
