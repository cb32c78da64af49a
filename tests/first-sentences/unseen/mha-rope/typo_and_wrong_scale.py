# Says: `scores.masked_fil(~mask, ...)` is misspelt, the method is `masked_fill`; and when that runs, note that `/ d_k` should be divided by `math.sqrt(d_k)`.
# Line: 22
# Names: masked_fil, masked_fill
# Kind: crash
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv = 1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    m = token_positions.unsqueeze(-1) * inv
    cos, sin = m.cos().to(in_query_or_key.dtype), m.sin().to(in_query_or_key.dtype)
    p, q = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((p * cos - q * sin, p * sin + q * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / d_k
    if mask is None:
        mask = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool, device=Q.device)
    scores = scores.masked_fil(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError
    d_head = d_model // num_heads
    dims = in_features.shape[:-1]
    Q = (in_features @ q_proj_weight.T).reshape(*dims, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*dims, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*dims, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(dims[-1])
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q, K = rope(d_head, theta, max_seq_len, Q, token_positions), rope(d_head, theta, max_seq_len, K, token_positions)
    y = scaled_dot_product_attention(Q, K, V)
    return y.transpose(-3, -2).reshape(*dims, d_model) @ o_proj_weight.T
