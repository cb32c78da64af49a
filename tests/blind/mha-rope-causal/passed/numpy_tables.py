"""NumPy computes angles and mask, which need no gradients; torch does the rest."""

import numpy as np
import torch


def _angles(positions: np.ndarray, theta: float, d_k: int) -> np.ndarray:
    return positions[..., np.newaxis] * np.power(float(theta), -np.arange(0, d_k, 2) / d_k)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    table = _angles(token_positions.cpu().numpy().astype(np.float64), theta, d_k)
    cos = torch.as_tensor(np.cos(table)).to(x)
    sin = torch.as_tensor(np.sin(table)).to(x)
    first, second = x.reshape(x.shape[:-1] + (d_k // 2, 2)).unbind(dim=-1)
    return torch.stack((first * cos - second * sin, second * cos + first * sin), dim=-1).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.swapaxes(-1, -2)) * (1 / np.sqrt(Q.shape[-1]).item())
    if mask is not None:
        scores = scores.masked_fill(~mask, -np.inf)
    return scores.softmax(dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("the number of heads must divide the number of features")
    seq = in_features.shape[-2]
    split = in_features.shape[:-1] + (num_heads, d_model // num_heads)
    q = (in_features @ q_proj_weight.T).reshape(split).swapaxes(-3, -2)
    k = (in_features @ k_proj_weight.T).reshape(split).swapaxes(-3, -2)
    v = (in_features @ v_proj_weight.T).reshape(split).swapaxes(-3, -2)
    if token_positions is None:
        token_positions = torch.from_numpy(np.arange(seq))
    token_positions = token_positions.reshape(seq) if token_positions.numel() == seq else token_positions.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    mask = torch.from_numpy(np.tri(seq, dtype=bool)).to(in_features.device)
    return scaled_dot_product_attention(q, k, v, mask).swapaxes(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
