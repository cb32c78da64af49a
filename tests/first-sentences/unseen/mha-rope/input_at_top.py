# Says: `d_model = int(input("d_model? "))` waits for someone to type, and nobody sits at the grader: delete the line, `d_model` is a parameter of your function.
# Line: 8
# Names: input, d_model
# Kind: crash
import math
import torch

d_model = int(input("d_model? "))


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    n = in_features.shape[-2]
    q = (in_features @ q_proj_weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(n)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    return scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
