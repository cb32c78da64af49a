"""Features are reshaped straight to (heads, seq, d_head), which mixes tokens and heads.

Shows for two or more heads and two or more tokens.
"""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # go through the pairs one after the other and turn each of them
    result = torch.zeros(in_query_or_key.shape, dtype=in_query_or_key.dtype, device=in_query_or_key.device)
    for i in range(d_k // 2):
        frequency = float(theta) ** (-2 * i / d_k)
        angle = token_positions.double() * frequency
        c = torch.cos(angle).to(in_query_or_key.dtype)
        s = torch.sin(angle).to(in_query_or_key.dtype)
        x = in_query_or_key[..., 2 * i]
        y = in_query_or_key[..., 2 * i + 1]
        result[..., 2 * i] = c * x - s * y
        result[..., 2 * i + 1] = s * x + c * y
    return result


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-1, -2))
    scores = scores / d_k**0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -1e9))
    # softmax: take away the biggest number of each row first, so that exp does not explode
    biggest = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - biggest)
    weights = e / e.sum(dim=-1, keepdim=True)
    return torch.matmul(weights, V)


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
    if d_model % num_heads != 0:
        raise ValueError("d_model has to be a multiple of num_heads")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    leading = list(in_features.shape[:-2])

    # 1. project
    Q = torch.matmul(in_features, q_proj_weight.T)
    K = torch.matmul(in_features, k_proj_weight.T)
    V = torch.matmul(in_features, v_proj_weight.T)

    # 2. split into heads
    Q = Q.reshape(leading + [num_heads, seq, d_head])
    K = K.reshape(leading + [num_heads, seq, d_head])
    V = V.reshape(leading + [num_heads, seq, d_head])

    # 3. turn
    if token_positions is None:
        positions = torch.arange(seq, device=in_features.device)
    elif len(leading) == 0:
        positions = token_positions.reshape(seq)
    else:
        positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, positions)
    K = rope(d_head, theta, max_seq_len, K, positions)

    # 4. attend, only to what came before
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=in_features.device)
    for i in range(seq):
        mask[i, : i + 1] = True
    attended = scaled_dot_product_attention(Q, K, V, mask)

    # 5. merge
    attended = attended.transpose(-3, -2)
    attended = attended.reshape(leading + [seq, d_model])
    return torch.matmul(attended, o_proj_weight.T)
