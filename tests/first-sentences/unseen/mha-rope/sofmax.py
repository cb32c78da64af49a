# Says: `torch.sofmax` does not exist: you dropped a letter in `return torch.sofmax(scores, dim=-1) @ V`, write `torch.softmax`.
# Line: 27
# Names: sofmax, softmax
# Kind: crash
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k))
    ang = token_positions[..., None] * freqs
    cos = torch.cos(ang).to(in_query_or_key.dtype)
    sin = torch.sin(ang).to(in_query_or_key.dtype)
    x1 = in_query_or_key[..., ::2]
    x2 = in_query_or_key[..., 1::2]
    out = torch.empty_like(in_query_or_key)
    out[..., ::2] = x1 * cos - x2 * sin
    out[..., 1::2] = x1 * sin + x2 * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == False, float('-inf'))
    return torch.sofmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
                                       q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                                       in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    lead = in_features.shape[:-2]

    q = (in_features @ q_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)

    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    out = out.transpose(-3, -2).reshape(*lead, seq, d_model)
    return out @ o_proj_weight.T
