"""Positions of shape (batch, seq) go to rope as they are, with no axis for the heads.

Shows for positions of shape (batch, seq) with more than one batch element and more than one head.
"""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # one d_k x d_k matrix per position
    pos = token_positions.to(torch.float64)
    R = torch.zeros(pos.shape + (d_k, d_k), dtype=torch.float64, device=in_query_or_key.device)
    for i in range(d_k // 2):
        angle = pos * theta ** (-2 * i / d_k)
        R[..., 2 * i, 2 * i] = torch.cos(angle)
        R[..., 2 * i, 2 * i + 1] = -torch.sin(angle)
        R[..., 2 * i + 1, 2 * i] = torch.sin(angle)
        R[..., 2 * i + 1, 2 * i + 1] = torch.cos(angle)
    R = R.to(in_query_or_key.dtype)

    # matrix times column vector
    column = in_query_or_key.unsqueeze(-1)
    turned = torch.matmul(R, column)
    return turned.squeeze(-1)


def softmax(x):
    # subtract the biggest number of each row so that exp stays small
    biggest = torch.max(x, dim=-1, keepdim=True).values
    e = torch.exp(x - biggest)
    return e / torch.sum(e, dim=-1, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-1, -2))
    scores = scores / (d_k ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(~mask, -float("inf"))
    weights = softmax(scores)
    result = torch.matmul(weights, V)
    return result


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
        raise ValueError("d_model is not divisible by num_heads")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    leading = list(in_features.shape[:-2])

    # step 1: project
    Q = torch.matmul(in_features, q_proj_weight.T)
    K = torch.matmul(in_features, k_proj_weight.T)
    V = torch.matmul(in_features, v_proj_weight.T)

    # step 2: split
    Q = Q.reshape(leading + [seq, num_heads, d_head]).transpose(-3, -2)
    K = K.reshape(leading + [seq, num_heads, d_head]).transpose(-3, -2)
    V = V.reshape(leading + [seq, num_heads, d_head]).transpose(-3, -2)

    # step 3: turn
    if token_positions is None:
        positions = torch.arange(0, seq, device=in_features.device)
    else:
        positions = token_positions
    if positions.dim() > 1:
        if len(leading) == 0:
            positions = positions[0]
    Q = rope(d_head, theta, max_seq_len, Q, positions)
    K = rope(d_head, theta, max_seq_len, K, positions)

    # step 4: attend
    out = scaled_dot_product_attention(Q, K, V)

    # step 5: merge
    out = out.transpose(-3, -2)
    out = out.reshape(leading + [seq, d_model])
    out = torch.matmul(out, o_proj_weight.T)
    return out
