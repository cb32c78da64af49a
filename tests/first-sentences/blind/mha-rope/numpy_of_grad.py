# Says: The line `x = in_query_or_key.numpy()` fails on a tensor that requires grad (and NumPy would cut the gradient): compute with torch instead of `.numpy()`.
# Line: 11
# Names: numpy, requires grad
# Kind: crash
import math
import numpy as np
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key.numpy()
    pos = token_positions.numpy()
    freqs = theta ** (-np.arange(0, d_k, 2) / d_k)
    angle = pos[..., None] * freqs
    cos, sin = np.cos(angle), np.sin(angle)
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return torch.from_numpy(out)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    return torch.matmul(attn, V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq_len = in_features.shape[-2]
    batch_dims = in_features.shape[:-2]

    # 1. project
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T

    # 2. split into heads
    Q = Q.reshape(*batch_dims, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*batch_dims, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*batch_dims, seq_len, num_heads, d_head).transpose(-3, -2)

    # 3. rope
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)

    # 4. attention
    out = scaled_dot_product_attention(Q, K, V)

    # 5. merge the heads
    out = out.transpose(-3, -2).reshape(*batch_dims, seq_len, d_model)
    return out @ o_proj_weight.T
