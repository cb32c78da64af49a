"""tensor_split and stack: torch makes a slice for each head, the student makes none.
"""

import numpy as np
import torch

def cos_sin_table(max_seq_len, d_k, theta):
    m = np.arange(max_seq_len)[:, None]
    i = np.arange(d_k // 2)[None, :]
    a = m * theta ** (-2.0 * i / d_k)
    return torch.from_numpy(np.cos(a)), torch.from_numpy(np.sin(a))

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = cos_sin_table(max_seq_len, d_k, theta)
    cos = cos.to(in_query_or_key)[token_positions]
    sin = sin.to(in_query_or_key)[token_positions]
    x = in_query_or_key.clone()
    even = in_query_or_key[..., np.arange(0, d_k, 2)]
    odd = in_query_or_key[..., np.arange(1, d_k, 2)]
    x[..., 0::2] = even * cos - odd * sin
    x[..., 1::2] = even * sin + odd * cos
    return x

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.swapaxes(-1, -2)) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask.to(scores.dtype)) * -1e30
    return scores.softmax(axis=-1).matmul(V)

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_k = d_model // num_heads
    Q, K, V = (torch.stack(torch.tensor_split(in_features @ W.T, num_heads, dim=-1), dim=-3)
               for W in [q_proj_weight, k_proj_weight, v_proj_weight])
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    elif token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_k, theta, max_seq_len, Q, token_positions)
    K = rope(d_k, theta, max_seq_len, K, token_positions)
    A = scaled_dot_product_attention(Q, K, V)
    A = A.movedim(-3, -2)
    return A.reshape(in_features.shape) @ o_proj_weight.T
