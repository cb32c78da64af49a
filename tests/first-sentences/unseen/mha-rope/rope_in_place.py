# Says: `in_query_or_key[..., 0::2] = even * cos - odd * sin` writes into the caller's tensor, and `even` is a view of it, so the odd features are computed from the new numbers: make a new tensor.
# Line: 16
# Names: in_query_or_key, even
# Kind: wrong idea
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos = angles.cos().to(in_query_or_key.dtype)
    sin = angles.sin().to(in_query_or_key.dtype)
    even = in_query_or_key[..., 0::2]
    odd = in_query_or_key[..., 1::2]
    in_query_or_key[..., 0::2] = even * cos - odd * sin
    in_query_or_key[..., 1::2] = even * sin + odd * cos
    return in_query_or_key


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)).div(math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    split = (*in_features.shape[:-1], num_heads, d_head)
    Q = (in_features @ q_proj_weight.T).reshape(split).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(split).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(split).transpose(-3, -2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    heads = scaled_dot_product_attention(Q, K, V)
    return heads.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
