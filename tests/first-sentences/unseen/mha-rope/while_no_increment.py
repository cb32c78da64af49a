# Says: The loop `while i < d_k // 2:` never ends, because `i` is never increased inside it; add `i += 1`.
# Line: 12
# Names: while, i
# Kind: slow
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    list_of_freqs = [0.0] * (d_k // 2)
    i = 0
    while i < d_k // 2:
        list_of_freqs[i] = theta ** (-2 * i / d_k)
    freqs = torch.tensor(list_of_freqs, dtype=torch.float64)
    angles = token_positions.unsqueeze(-1) * freqs
    cos = torch.cos(angles).to(in_query_or_key.dtype)
    sin = torch.sin(angles).to(in_query_or_key.dtype)
    even = in_query_or_key[..., 0::2]
    odd = in_query_or_key[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return torch.stack([new_even, new_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    lead = in_features.shape[:-2]
    Q = torch.matmul(in_features, q_proj_weight.T)
    K = torch.matmul(in_features, k_proj_weight.T)
    V = torch.matmul(in_features, v_proj_weight.T)
    Q = Q.reshape(lead + (seq, num_heads, d_head)).transpose(-3, -2)
    K = K.reshape(lead + (seq, num_heads, d_head)).transpose(-3, -2)
    V = V.reshape(lead + (seq, num_heads, d_head)).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = out.transpose(-3, -2).reshape(lead + (seq, d_model))
    return torch.matmul(out, o_proj_weight.T)
