# Says: The loop `while i < d_k:` in rope never ends, because `i` is not increased in its body: add `i += 2`.
# Line: 11
# Names: while, i += 2
# Kind: slow
import torch, math

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # frequencies, one by one
    freqs = torch.zeros(d_k // 2, dtype=torch.float64)
    i = 0
    while i < d_k:
        freqs[i // 2] = theta ** (-i / d_k)

    ang = token_positions.double()[..., None] * freqs
    c = ang.cos().to(in_query_or_key.dtype)
    s = ang.sin().to(in_query_or_key.dtype)
    a, b = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)

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
