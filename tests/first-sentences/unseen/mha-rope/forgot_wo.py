# Says: You return the merged heads `concat` and never multiply them with `o_proj_weight.T`.
# Line: 41
# Names: o_proj_weight, concat
# Kind: wrong idea
import torch
import numpy as np

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exps = np.arange(0, d_k, 2) / d_k
    freqs = torch.from_numpy(1.0 / np.power(float(theta), exps))
    angles = token_positions.unsqueeze(-1) * freqs
    c = torch.cos(angles).to(in_query_or_key.dtype)
    s = torch.sin(angles).to(in_query_or_key.dtype)
    a = in_query_or_key[..., 0::2]
    b = in_query_or_key[..., 1::2]
    return torch.stack((a*c - b*s, a*s + b*c), dim=-1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -np.inf)
    attn = torch.softmax(scores, dim=-1)
    return torch.matmul(attn, V)

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    batch = in_features.shape[:-2]
    Q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    heads = scaled_dot_product_attention(Q, K, V)
    concat = heads.transpose(-3, -2).reshape(*batch, seq, d_model)
    return concat
