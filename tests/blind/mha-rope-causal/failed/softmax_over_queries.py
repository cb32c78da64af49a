"""The softmax runs over the queries."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # x is what gets rotated
    x = in_query_or_key
    print("rope gets", x.shape, token_positions.shape)
    # i = 0, 1, 2, ... one for each pair
    i = torch.arange(d_k // 2)
    # one frequency for each pair
    exponent = -2 * i / d_k
    freq = theta**exponent
    # one angle for each position and pair
    angle = token_positions.unsqueeze(-1) * freq
    c = torch.cos(angle)
    s = torch.sin(angle)
    # make them the same type as x (x can be float64!)
    c = c.to(x.dtype)
    s = s.to(x.dtype)
    # the pairs
    x1 = x[..., 0::2]
    x2 = x[..., 1::2]
    # rotate
    y1 = x1 * c - x2 * s
    y2 = x1 * s + x2 * c
    # weave them together again
    y = torch.stack([y1, y2], dim=-1)
    y = y.reshape(x.shape)
    assert y.shape == x.shape
    return y


def scaled_dot_product_attention(Q, K, V, mask=None):
    # multiply queries and keys
    scores = torch.matmul(Q, torch.transpose(K, -1, -2))
    # scale
    scores = scores / (Q.shape[-1] ** 0.5)
    # mask: True = may look
    if mask is not None:
        not_allowed = torch.logical_not(mask)
        scores = torch.masked_fill(scores, not_allowed, float("-inf"))
    # softmax over the last dimension
    weights = torch.softmax(scores, dim=-2)
    print("weights", weights.shape)
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
    # check
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    # positions
    if token_positions is None:
        token_positions = torch.arange(seq)
    # projections
    q = torch.matmul(in_features, torch.transpose(q_proj_weight, 0, 1))
    k = torch.matmul(in_features, torch.transpose(k_proj_weight, 0, 1))
    v = torch.matmul(in_features, torch.transpose(v_proj_weight, 0, 1))
    # heads
    new_shape = list(q.shape[:-1]) + [num_heads, d_head]
    q = torch.reshape(q, new_shape)
    k = torch.reshape(k, new_shape)
    v = torch.reshape(v, new_shape)
    # swap
    q = torch.transpose(q, -3, -2)
    k = torch.transpose(k, -3, -2)
    v = torch.transpose(v, -3, -2)
    # rotate q and k but NOT v
    positions_for_heads = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, positions_for_heads)
    k = rope(d_head, theta, max_seq_len, k, positions_for_heads)
    # attention
    mask = torch.tril(torch.ones(seq, seq))
    mask = mask.bool()
    out = scaled_dot_product_attention(q, k, v, mask)
    # back
    out = torch.transpose(out, -3, -2)
    out = torch.reshape(out, in_features.shape)
    out = torch.matmul(out, torch.transpose(o_proj_weight, 0, 1))
    return out
