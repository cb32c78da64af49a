"""Causal attention, a table with one row for each token.

WRONG: the table has as many rows as there are tokens, but positions may be higher: IndexError.
When: positions with gaps
Spec: "Positions rise along the sequence and may have gaps; all are smaller than `max_seq_len`"
"""

import torch
from torch.nn.functional import linear, softmax

# (d_k, theta, device) -> (cos, sin) in double precision, as long as any call has needed
_TABLES = {}


def _lookup(d_k, theta, device, positions):
    key = (d_k, float(theta), str(device))
    need = positions.shape[-1]
    if key not in _TABLES or len(_TABLES[key][0]) < need:
        with torch.inference_mode(False):
            freqs = torch.tensor([float(theta) ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=torch.float64)
            angles = torch.arange(need, dtype=torch.float64)[:, None] * freqs
            _TABLES[key] = angles.cos().to(device), angles.sin().to(device)
    cos, sin = _TABLES[key]
    return cos[positions], sin[positions]


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    cos, sin = _lookup(d_k, theta, x.device, token_positions.long())
    cos, sin = cos.to(x.dtype), sin.to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    out = torch.zeros_like(x)
    out[..., ::2] = a * cos - b * sin
    out[..., 1::2] = a * sin + b * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-1, -2))
    scores /= Q.shape[-1] ** 0.5
    if mask is not None:
        scores.masked_fill_(~mask, -float("inf"))
    return softmax(scores, -1).matmul(V)


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
    if d_model % num_heads:
        raise ValueError("bad head count")
    shape = in_features.shape
    seq = shape[-2]

    # join all leading axes (there may be none) into one batch axis
    x = in_features.reshape(-1, seq, d_model)
    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    rows = token_positions.reshape(-1, 1, seq)  # (1 or batch, 1, seq)

    def heads(w):
        return linear(x, w).reshape(len(x), seq, num_heads, d_model // num_heads).transpose(1, 2)

    q = rope(d_model // num_heads, theta, max_seq_len, heads(q_proj_weight), rows)
    k = rope(d_model // num_heads, theta, max_seq_len, heads(k_proj_weight), rows)
    i = torch.arange(seq, device=x.device)
    y = scaled_dot_product_attention(q, k, heads(v_proj_weight), i.unsqueeze(1).ge(i))
    y = y.transpose(1, 2).reshape(len(x), seq, d_model)
    return linear(y, o_proj_weight).reshape(shape)
