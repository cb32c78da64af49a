# Says: Tensors have no attribute `length`: read the number of tokens from `in_features.shape[-2]`.
# Line: 33
# Names: length, shape
# Kind: crash
import math
import torch

NEG_INF = float("-inf")


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, NEG_INF)
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    seq = in_features.length
    q = (in_features @ q_proj_weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    causal = torch.ones((seq, seq), dtype=torch.bool).tril()
    out = scaled_dot_product_attention(q, k, v, causal)
    return out.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
