# Says: You go through the heads one by one in `for h in range(num_heads):`, and the exercise forbids a loop over heads: give the heads an axis of their own.
# Line: 39
# Names: for h in range(num_heads), loop over heads
# Kind: refused
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    d_head = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T

    results = []
    for h in range(num_heads):
        sl = slice(h * d_head, (h + 1) * d_head)
        qh = rope(d_head, theta, max_seq_len, q[..., sl], token_positions)
        kh = rope(d_head, theta, max_seq_len, k[..., sl], token_positions)
        results.append(scaled_dot_product_attention(qh, kh, v[..., sl]))
    return torch.cat(results, dim=-1) @ o_proj_weight.T
