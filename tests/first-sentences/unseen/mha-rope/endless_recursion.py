# Says: In `multihead_self_attention_with_rope` the last line calls `multihead_self_attention_with_rope` again with the same arguments, so it recurses without end: you meant `scaled_dot_product_attention(Q, K, V)` there.
# Line: 32
# Names: multihead_self_attention_with_rope, recurses
# Kind: crash
import math
import torch

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    a = token_positions.unsqueeze(-1) * theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    c, s = a.cos().to(in_query_or_key.dtype), a.sin().to(in_query_or_key.dtype)
    e, o = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((e * c - o * s, e * s + o * c), dim=-1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    shape = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(shape[-2])
    pos = token_positions.unsqueeze(-2) if token_positions.dim() > 1 else token_positions
    Q = rope(d_head, theta, max_seq_len, Q, pos)
    K = rope(d_head, theta, max_seq_len, K, pos)
    out = multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions)
    return out.transpose(-3, -2).reshape(shape) @ o_proj_weight.T
