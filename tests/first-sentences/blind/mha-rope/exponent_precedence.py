# Says: `theta ** -2 * i / d_k` means (theta ** -2) * i / d_k: the whole exponent needs brackets, `theta ** (-2 * i / d_k)`.
# Line: 16
# Names: theta ** -2, theta ** (-2 * i / d_k)
# Kind: wrong idea
import torch
import math

# helper: (a, b) -> (-b, a) for every pair
def rotate_pairs(t):
    a = t[..., ::2]
    b = t[..., 1::2]
    return torch.stack((-b, a), dim=-1).flatten(-2)

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, dtype=torch.float64)
    w = theta ** -2 * i / d_k
    ang = token_positions.to(torch.float64)[..., None] * w      # (..., seq, d_k/2)
    ang = torch.repeat_interleave(ang, 2, dim=-1)               # (..., seq, d_k)
    c = torch.cos(ang).to(in_query_or_key.dtype)
    s = torch.sin(ang).to(in_query_or_key.dtype)
    return in_query_or_key * c + rotate_pairs(in_query_or_key) * s

def scaled_dot_product_attention(Q, K, V, mask=None):
    # Q K^T
    kt = K.transpose(-2, -1)
    s = Q @ kt
    s = s / math.sqrt(K.shape[-1])
    if mask is None:
        p = s.softmax(-1)
        return p @ V
    else:
        s = s.masked_fill(~mask, -math.inf)
        p = s.softmax(-1)
        return p @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
                                       q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                                       in_features, token_positions=None):
    # check
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    dk = d_model // num_heads
    shape = list(in_features.shape)
    n = shape[-2]

    # projections
    q = torch.matmul(in_features, q_proj_weight.t())
    k = torch.matmul(in_features, k_proj_weight.t())
    v = torch.matmul(in_features, v_proj_weight.t())

    # (..., n, d) -> (..., h, n, dk)
    q = q.reshape(shape[:-1] + [num_heads, dk]).transpose(-3, -2)
    k = k.reshape(shape[:-1] + [num_heads, dk]).transpose(-3, -2)
    v = v.reshape(shape[:-1] + [num_heads, dk]).transpose(-3, -2)

    # positions
    if token_positions is None:
        token_positions = torch.arange(n)
    if len(token_positions.shape) > 1:
        token_positions = token_positions.unsqueeze(-2)

    q = rope(dk, theta, max_seq_len, q, token_positions)
    k = rope(dk, theta, max_seq_len, k, token_positions)

    o = scaled_dot_product_attention(q, k, v)          # (..., h, n, dk)
    o = o.transpose(-3, -2)                            # (..., n, h, dk)
    o = o.reshape(shape[:-1] + [d_model])
    return torch.matmul(o, o_proj_weight.t())
