"""A module-level dict holds the greatest mask for a device, cut to the sequence; tables in another dict."""
import math

import torch
from torch import Tensor


_TABLES = {}


def _angles(d_k, theta, length, device):
    key = (d_k, float(theta), str(device))
    if key not in _TABLES or _TABLES[key].shape[0] < length:
        with torch.inference_mode(False), torch.no_grad():
            freq = float(theta) ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=device) / d_k)
            _TABLES[key] = torch.arange(length, dtype=torch.float64, device=device)[:, None] * freq
    return _TABLES[key]


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    angle = _angles(d_k, theta, max_seq_len, x.device)[token_positions.long()]
    cos, sin = torch.cos(angle).to(x), torch.sin(angle).to(x)
    pairs = x.unflatten(-1, (d_k // 2, 2))
    first, second = pairs[..., 0], pairs[..., 1]
    out = torch.empty_like(pairs)
    out[..., 0] = first * cos - second * sin
    out[..., 1] = first * sin + second * cos
    return out.flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


_SEEN = {}


def may_see(n, device):
    if device not in _SEEN or len(_SEEN[device]) < n:
        with torch.inference_mode(mode=False):
            _SEEN[device] = torch.tril(torch.full((n, n), True, device=device))
    return _SEEN[device][:n, :n]


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
    seq = in_features.shape[-2]

    def split(t):
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.T)
    k = split(in_features @ k_proj_weight.T)
    v = split(in_features @ v_proj_weight.T)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    elif token_positions.dim() > 1 and in_features.dim() == 2:
        token_positions = token_positions.reshape(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    y = scaled_dot_product_attention(q, k, v, may_see(seq, q.device))
    y = y.transpose(-3, -2)
    y = y.reshape(in_features.shape)
    return y @ o_proj_weight.T
